import { launch } from './launch.mjs';

await launch(() => import('./main.ts'), 'npm start');
