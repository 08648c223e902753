import { afterAll, afterEach } from 'vitest';
import { refuseFaults, takeFaults } from './conformance/faults.ts';

// The caller of `inject` is told at once; who reads from a socket is told here.
afterEach(() => refuseFaults(takeFaults()));
// The first hook is the last to run: this is for answers to other hooks.
afterAll(() => refuseFaults(takeFaults()));
