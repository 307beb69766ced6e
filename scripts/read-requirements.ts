/** One row of docs/requirements.md. */
export type RequirementRow = {
  readonly number: number;
  readonly text: string;
  readonly status: string;
  /** Titles of tests, or the reason of a deviation. */
  readonly evidence: string;
};

/** Reads the rows of the page, in order; ignores other lines. */
export function readRequirements(page: string): readonly RequirementRow[] {
  return page.split("\n").flatMap((line) => readRow(line) ?? []);
}

/** Replaces the evidence of rows; every other line stays as it is. */
export function writeEvidence(page: string, toEvidence: (row: RequirementRow) => string): string {
  return page
    .split("\n")
    .map((line) => {
      const row = readRow(line);
      if (row === undefined) return line;
      const evidence = toEvidence(row);
      return `| R${row.number} | ${row.text} | ${row.status} |${evidence === "" ? "" : ` ${evidence}`} |`;
    })
    .join("\n");
}

function readRow(line: string): RequirementRow | undefined {
  const [, number, text, status, evidence] = line.split(/(?<!\\)\|/).map((cell) => cell.trim());
  if (number === undefined || !/^R\d+$/.test(number)) return undefined;
  return { number: Number(number.slice(1)), text: text ?? "", status: status ?? "", evidence: evidence ?? "" };
}
