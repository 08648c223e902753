/** One line of the table. */
export interface Figure {
  name: string;
  value: number;
  unit: string;
  target?: { atLeast: number } | { atMost: number };
  /** Spread, or what else the reader should know. */
  note?: string;
}

function verdict({ value, target }: Figure): string {
  if (!target) return '';
  const [missing, wanted] =
    'atLeast' in target
      ? [target.atLeast - value, target.atLeast]
      : [value - target.atMost, target.atMost];
  if (missing <= 0) return 'met';
  return `missed by ${((missing / wanted) * 100).toFixed(1)} %`;
}

const number = (value: number): string =>
  value >= 1000 ? value.toFixed(0) : value.toPrecision(3).replace(/e.*$/, '');

function targetText({ target, unit }: Figure): string {
  if (!target) return '';
  return 'atLeast' in target ? `≥ ${target.atLeast} ${unit}` : `< ${target.atMost} ${unit}`;
}

export function printTable(figures: readonly Figure[]): void {
  const lines = [
    ['', 'figure', 'target', '', ''],
    ...figures.map((figure) => [
      figure.name,
      `${number(figure.value)} ${figure.unit}`,
      targetText(figure),
      verdict(figure),
      figure.note ?? '',
    ]),
  ];
  const widths = [0, 1, 2, 3].map((column) =>
    Math.max(...lines.map((line) => line[column]?.length ?? 0)),
  );
  for (const line of lines)
    console.log(
      line
        .map((cell, column) => cell.padEnd(widths[column] ?? 0))
        .join('  ')
        .trimEnd(),
    );
}

export const toJson = (figures: readonly Figure[]) =>
  figures.map((figure) => ({ ...figure, verdict: verdict(figure) }));
