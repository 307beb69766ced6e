import { readTables } from "./read-tables.ts";

/** A name of a design document, and the export that it is here; none if the page says why there is none. */
export type DesignName = { readonly said: string; readonly here: string; readonly entry: string };

/** The names of docs/design-documents.md, from its tables with imports. */
export function readDesignNames(): readonly DesignName[] {
  return readTables("docs/design-documents.md").flatMap(({ heading, cells: [said = "", here = "", entry = ""] }) =>
    heading.startsWith("The ids") ? [] : [{ said, here: here.replaceAll("`", ""), entry: entry.replaceAll("`", "") }],
  );
}

/** A program that has a type error if a type, or a field behind its dot, does not exist. */
export function programOfDesignNames(): string {
  const helpers = [
    "type Of<Value> = Value extends (...args: never) => unknown ? Value : NonNullable<Value>;",
    "type Keys<Value> = Value extends unknown ? keyof Value : never;",
    "type At<Value, Key> = Value extends unknown ? (Key extends keyof Value ? Of<Value[Key]> : never) : never;",
  ];
  const checks = readDesignNames().flatMap(({ here, entry }, index) => {
    const [root = "", ...fields] = here.split(".");
    // Values are imported by another test.
    if (!/^[A-Z]/.test(root)) return [];
    const type = `Name${index}`;
    const paths = fields.map((field, depth) => {
      const owner = fields.slice(0, depth).reduce((outer, each) => `At<${outer}, "${each}">`, type);
      return `export const field${index}_${depth}: Keys<${owner}> = "${field}";`;
    });
    return [`import type { ${root} as ${type} } from "${entry}";`, `export type Used${index} = ${type};`, ...paths];
  });
  return [...helpers, ...checks, ""].join("\n");
}
