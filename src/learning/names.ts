import { hash } from 'node:crypto';

/** Names, questions and blank answers are the same where this is: without case and outer space. */
export const fold = (text: string): string => text.trim().toLowerCase().normalize('NFC');

/** Sixteen bytes that stand for the text, to the letter, in the form of a UUID. */
export const exactDigest = (text: string): string =>
  hash('sha256', text, 'hex')
    .slice(0, 32)
    .replace(/^(.{8})(.{4})(.{4})(.{4})/, '$1-$2-$3-$4-');

/** The same for texts without case and outer space; what an index holds instead of long text. */
export const digest = (...texts: string[]): string => exactDigest(texts.map(fold).join('\n'));

/** Whether activities of this type work on a quiz or a checklist, item by item. */
export const isTask = (type: string): boolean => ['quiz', 'checklist'].includes(fold(type));

/** What an activity is about: the quiz, checklist or lesson of that name. */
export const topicOf = (type: string, name: string): string => digest(type, name);

const USER_PREFIX = 'usr_';

/** A user is the same with and without the prefix. */
export const userName = (id: string): string =>
  id.startsWith(USER_PREFIX) && id.length > USER_PREFIX.length ? id.slice(USER_PREFIX.length) : id;

/** The id of a user as the API shows it. */
export const userId = (name: string): string => USER_PREFIX + name;
