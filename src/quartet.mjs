import { launch } from './launch.mjs';

await launch(() => import('./quartet.ts'), 'npm run quartet');
