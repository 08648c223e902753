import type { Examples } from '../platform/documents/examples.ts';
import type { Activity } from './activities.schemas.ts';
import type { Badge } from './definitions/badges.schemas.ts';
import type { Checklist } from './definitions/checklists.schemas.ts';
import type { Quiz } from './definitions/quizzes.schemas.ts';
import type { describeServer } from './landing/services.ts';
import type { Assignment } from './results/assignments.schemas.ts';
import { exampleId } from './texts.ts';

const MADE = { createdAt: '2024-01-31T16:00:00.000Z', updatedAt: '2024-01-31T16:00:00.000Z' };

const QUESTIONS: Quiz['questions'] = [
  {
    type: 'choice',
    question: 'What do we value most?',
    choices: { a: 'Speed', b: 'Growth', c: 'Honesty', d: 'Comfort' },
    correctAnswer: 'c',
  },
  {
    type: 'choice',
    question: 'Who may stop a release?',
    choices: { a: 'The manager', b: 'Everybody', c: 'Nobody', d: 'The customer' },
    correctAnswer: 'b',
  },
  {
    type: 'choice',
    question: 'In which year were we founded?',
    choices: { a: '1999', b: '2004', c: '2012', d: '2020' },
    correctAnswer: 'c',
  },
  {
    type: 'blank',
    question: 'What is the name of our newsletter?',
    choices: null,
    correctAnswer: 'The Quartet',
  },
  {
    type: 'blank',
    question: 'In which city is our first office?',
    choices: null,
    correctAnswer: 'Lisbon',
  },
];
const ANSWERS = ['c', 'b', 'c', 'Quartet news', 'lisbon '];
const ITEMS = ['Read the handbook', 'Meet your team', 'Set up your laptop', 'Take the quiz'];
const NOT_DONE = 'Set up your laptop';

const minute = (after: number) => new Date(Date.UTC(2024, 1, 1, 9, after)).toISOString();

const QUIZ: Quiz = {
  id: exampleId('quiz'),
  name: 'Who we are',
  passingScore: 0.8,
  questions: QUESTIONS,
  ...MADE,
};
const CHECKLIST: Checklist = {
  id: exampleId('cklst'),
  name: 'Onboarding Part 1',
  items: ITEMS,
  ...MADE,
};
const BADGE: Badge = {
  id: exampleId('badge'),
  name: 'Explorer',
  icon: '🧭',
  requirements: [
    { type: 'lesson', name: 'Our history', status: 'completed' },
    { type: 'quiz', name: 'Who we are', minScore: 0.8, maxAttempts: 3, status: 'passed' },
  ],
  ...MADE,
};
const ASSIGNMENT: Assignment = {
  id: exampleId('asmt'),
  user: 'abc123',
  type: 'checklist',
  name: 'Onboarding Part 1',
  status: 'started',
  assignedAt: '2024-02-01T08:30:00.000Z',
  progress: 0.75,
  data: {
    attempts: 1,
    score: 0.75,
    items: [
      { item: 'Read the handbook', doneAt: minute(11) },
      { item: 'Meet your team', doneAt: minute(12) },
      { item: NOT_DONE },
      { item: 'Take the quiz', doneAt: minute(13) },
    ],
  },
};
const SCORE = {
  id: 'score_e8a6521e-fca4-9c28-e8b0-cfe3ff031c94',
  user: 'abc123',
  quiz: 'Who we are',
  score: 0.8,
  attempts: 2,
  breakdown: QUESTIONS.map(({ question, choices, correctAnswer }, index) => ({
    question,
    choices,
    correctAnswer,
    answer: ANSWERS[index],
    answeredAt: minute(6 + index),
  })),
};

const ticked = (id: string, item: string, after: number): Activity => ({
  id: `id_0190f3a2-7c1e-7b4a-9d3e-${id}`,
  data: { type: 'checklist', name: 'Onboarding Part 1', item, answer: null },
  metadata: {
    user: 'abc123',
    domain: 'https://learn.example.com',
    path: '/onboarding',
    timestamp: minute(after),
  },
});

const SAFETY = {
  name: 'Safety first',
  passingScore: 0.5,
  questions: [
    {
      type: 'choice',
      question: 'What do you do first when the alarm rings?',
      choices: { a: 'Leave the building', b: 'Call a colleague' },
      correctAnswer: 'a',
    },
    { type: 'blank', question: 'Where do we meet?', choices: null, correctAnswer: 'Car park' },
  ],
};
const FIRST_DAY = { name: 'First day', items: ['Get your badge', 'Meet your team'] };
const SAFE = {
  name: 'Safe and sound',
  icon: '🛟',
  requirements: [{ type: 'quiz', name: 'Safety first', minScore: 0.5, status: 'completed' }],
};
const TO_DO = {
  user: 'ghi789',
  type: 'quiz',
  name: 'Who we are',
  maxAttempts: 3,
  deadline: '2099-07-31T09:30:00.000Z',
};

const made = (id: string) => ({
  id,
  createdAt: '2024-02-01T09:30:00.000Z',
  updatedAt: '2024-02-01T09:30:00.000Z',
});
const read = (name: string, summary: string, answer: unknown) => [
  { name, summary, status: 200, answer },
];

/** What problems say here. */
export const LEARNING_DETAILS = {
  'not-found': 'There is no user nobody: no activity, and no assignment.',
  unauthorized: 'This operation needs an API key; send it in the header IMF-KEY.',
};

/** Requests and answers that the document shows: about the data of the demo. */
export const learningExamples = (root: ReturnType<typeof describeServer>): Examples => ({
  GetRoot: [
    ...read('json', 'For programs', root),
    { name: 'page', summary: 'For browsers', accept: 'text/html', status: 200 },
  ],
  PostActivity: [
    {
      name: 'answer',
      summary: 'An answer to a question',
      body: {
        data: { type: 'quiz', name: 'Who we are', item: 'What do we value most?', answer: 'c' },
        metadata: { user: 'def456', domain: 'https://learn.example.com', path: '/onboarding' },
      },
      status: 204,
    },
    {
      name: 'tick',
      summary: 'A tick on a checklist, of a time ago',
      body: {
        data: { type: 'checklist', name: 'Onboarding Part 1', item: 'Meet your team' },
        metadata: { user: 'def456', timestamp: '2024-02-01T09:30:00Z' },
      },
      status: 204,
    },
    {
      name: 'lesson',
      summary: 'A lesson that was done',
      body: { data: { type: 'lesson', name: 'Our history' }, metadata: { user: 'def456' } },
      status: 204,
    },
  ],
  PostQuiz: [
    {
      name: 'safety',
      summary: 'A choice and a blank',
      body: SAFETY,
      status: 201,
      answer: { ...SAFETY, ...made(exampleId('quiz')) },
    },
  ],
  GetQuizzes: read('all', 'The quiz of the demo', [QUIZ]),
  GetQuiz: read('who-we-are', 'A quiz', QUIZ),
  GetScores: [
    {
      name: 'of-a-user',
      summary: 'The scores of one user',
      query: { user: 'abc123' },
      status: 200,
      answer: [SCORE],
    },
  ],
  GetUserList: read('all', 'The learner of the demo', [
    { id: 'usr_abc123', badgesCount: 1, assignments: 1, activity: 14 },
  ]),
  GetUserActivity: [
    {
      name: 'two-activities',
      summary: 'With the latest two activities: `limit=2`',
      query: { limit: 2 },
      status: 200,
      answer: {
        id: 'usr_abc123',
        badges: [{ id: BADGE.id, name: 'Explorer', icon: '🧭', awardedAt: minute(10) }],
        assignments: [ASSIGNMENT],
        activity: [
          ticked('000000000014', 'Take the quiz', 13),
          ticked('000000000013', 'Meet your team', 12),
        ],
      },
    },
  ],
  GetSummaryReport: read('february', 'One month', {
    id: 'id_6918750a-e286-1a98-d03b-d38a7fddc496',
    startDate: '2024-02-01T00:00:00.000Z',
    endDate: '2024-03-01T00:00:00.000Z',
    users: 1,
    attempts: 2,
    quizzes: 1,
    passRate: 0.5,
    checklists: 0,
  }),
  PostBadge: [
    {
      name: 'safe',
      summary: 'For one quiz',
      body: SAFE,
      status: 201,
      answer: { ...SAFE, ...made(exampleId('badge')) },
    },
  ],
  GetBadges: read('all', 'The badge of the demo', [BADGE]),
  GetBadge: read('explorer', 'A badge', BADGE),
  PostAssignment: [
    {
      name: 'quiz',
      summary: 'A quiz, in three attempts',
      body: TO_DO,
      status: 201,
      answer: {
        ...TO_DO,
        id: exampleId('asmt'),
        status: 'assigned',
        assignedAt: '2024-02-01T09:30:00.000Z',
        progress: 0,
      },
    },
  ],
  GetAssignments: read('all', 'The assignment of the demo', [ASSIGNMENT]),
  GetAssignment: read('onboarding', 'A checklist, three quarters done', ASSIGNMENT),
  PostChecklist: [
    {
      name: 'first-day',
      summary: 'Two items',
      body: FIRST_DAY,
      status: 201,
      answer: { ...FIRST_DAY, ...made(exampleId('cklst')) },
    },
  ],
  GetChecklists: read('all', 'The checklist of the demo', [CHECKLIST]),
  GetChecklist: read('onboarding', 'A checklist', CHECKLIST),
});
