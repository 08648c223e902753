import { seedDemoApiKey } from '../platform/access/api-keys.ts';
import type { Db } from '../platform/database/database.ts';
import { seedOnce } from '../platform/database/seeds.queries.ts';
import { insertActivity } from './activities.queries.ts';
import type { NewActivity } from './activities.schemas.ts';
import { insertBadge } from './definitions/badges.queries.ts';
import { insertTask } from './definitions/tasks.queries.ts';
import { insertAssignment } from './results/assignments.queries.ts';

export const DEMO_KEY = 'demo-imf-key';

const QUIZ = 'Who we are';
const CHECKLIST = 'Onboarding Part 1';
const LESSON = 'Our history';
const USER = 'abc123';

const QUESTIONS = [
  {
    item: 'What do we value most?',
    choices: { a: 'Speed', b: 'Growth', c: 'Honesty', d: 'Comfort' },
    correctAnswer: 'c',
  },
  {
    item: 'Who may stop a release?',
    choices: { a: 'The manager', b: 'Everybody', c: 'Nobody', d: 'The customer' },
    correctAnswer: 'b',
  },
  {
    item: 'In which year were we founded?',
    choices: { a: '1999', b: '2004', c: '2012', d: '2020' },
    correctAnswer: 'c',
  },
  { item: 'What is the name of our newsletter?', correctAnswer: 'The Quartet' },
  { item: 'In which city is our first office?', correctAnswer: 'Lisbon' },
];

const ITEMS = ['Read the handbook', 'Meet your team', 'Set up your laptop', 'Take the quiz'];

type Deed = NewActivity['data'];

const attempt = (answers: string[]): Deed[] =>
  QUESTIONS.map(({ item }, index) => ({
    type: 'quiz',
    name: QUIZ,
    item,
    answer: answers[index] ?? null,
  }));
const ticks = (items: string[]): Deed[] =>
  items.map((item) => ({ type: 'checklist', name: CHECKLIST, item }));

/** What abc123 did, a minute apart: a lesson, two attempts at the quiz, three of four items. */
const DEEDS: Deed[] = [
  { type: 'lesson', name: LESSON },
  ...attempt(['a', 'b', 'c', 'Quartet news', 'Lisbon']),
  ...attempt(['c', 'b', 'c', 'Quartet news', 'lisbon ']),
  ...ticks(ITEMS.filter((item) => item !== 'Set up your laptop')),
];
const BEGAN = Date.UTC(2024, 1, 1, 9);

/** The key and the data that the documentation shows; not for production. */
export async function seedLearning(db: Db): Promise<void> {
  await seedDemoApiKey(db, 'learning', DEMO_KEY);
  await seedOnce(db, 'learning examples', 'published', async (tx) => {
    await insertTask(tx, { type: 'quiz', name: QUIZ, passingScore: 0.8, items: QUESTIONS });
    await insertTask(tx, {
      type: 'checklist',
      name: CHECKLIST,
      passingScore: 1,
      items: ITEMS.map((item) => ({ item })),
    });
    await insertBadge(tx, {
      name: 'Explorer',
      icon: '🧭',
      requirements: [
        { type: 'lesson', name: LESSON, status: 'completed' },
        { type: 'quiz', name: QUIZ, minScore: 0.8, maxAttempts: 3, status: 'passed' },
      ],
    });
    const metadata = { user: USER, domain: 'https://learn.example.com', path: '/onboarding' };
    for (const [index, data] of DEEDS.entries())
      await insertActivity(tx, { data, metadata }, new Date(BEGAN + index * 60_000));
    await insertAssignment(tx, { user: USER, type: 'checklist', name: CHECKLIST }, undefined);
  });
}
