const steps: (() => void)[] = [];

/** Runs `step` when this process ends, however it ends but by SIGKILL; the last added comes first. */
export function onEnd(step: () => void): void {
  steps.push(step);
}

process.on('exit', () => {
  for (const step of steps.reverse()) {
    try {
      step();
    } catch (error) {
      console.error(error);
    }
  }
});
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const)
  process.once(signal, () => process.exit(1));
