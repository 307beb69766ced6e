import { readFileSync } from "node:fs";
import { join } from "node:path";

/** A block of code in a document. */
export type Block = { readonly heading: string; readonly code: string };

const checkout = join(import.meta.dirname, "../..");

/** The programs in the table of doors of README.md: its rows that import something. */
export function readDoors(): readonly Block[] {
  const rows = readFileSync(join(checkout, "README.md"), "utf8").matchAll(
    /^\| [^|]+ \| `(?<first>import [^`]+)`<br>`(?<second>[^`]+)` \|/gm,
  );
  return [...rows].map(({ groups = {} }) => ({
    heading: "With what you have",
    code: `${groups["first"]}\n${groups["second"]}\n`,
  }));
}

/** The blocks of a language in a document of this repository, each under the last heading before it. */
export function readBlocks(document: string, language: string): readonly Block[] {
  const text = readFileSync(join(checkout, document), "utf8");
  const found = text.matchAll(/^#+ (?<heading>.+)$|^```(?<language>\w+)\n(?<code>[\s\S]*?)^```$/gm);
  let heading = "";
  return [...found].flatMap(({ groups = {} }) => {
    heading = groups["heading"] ?? heading;
    return groups["language"] === language ? [{ heading, code: groups["code"] ?? "" }] : [];
  });
}
