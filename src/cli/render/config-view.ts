import type { ConfigFile } from "../../config/read-config-file.ts";
import type { SettingName, SettingSource } from "../settings.ts";
import type { Colors, Page } from "./screen.ts";
import { shortPath } from "./short-path.ts";
import { tableLines, wrapWords } from "./table.ts";
import { toOneLine } from "./terminal-text.ts";

/** A setting of `cox ask` as `cox config` prints it. */
export type ShownSetting = {
  readonly name: SettingName;
  readonly option: string;
  readonly variable: string;
  /** Null if it is not set. */
  readonly value: string | null;
  readonly from: SettingSource["kind"] | "built-in";
  readonly label: string;
  /** What happens without it. */
  readonly meaning?: string;
};

/** Everything that `cox config` prints. */
export type ConfigFindings = {
  readonly settings: readonly ShownSetting[];
  readonly files: readonly Pick<ConfigFile, "path" | "scope">[];
  readonly mistakes: readonly string[];
};

const LONGEST_VALUE = 40;

/** The settings as a table, then the files and their mistakes. */
export function configView({ settings, files, mistakes }: ConfigFindings, { bold, red, dim }: Colors, page: Page): string {
  const headings = ["SETTING", "VALUE", "FROM"].map((text) => ({ text, color: bold }));
  const rows = settings.map(({ name, value, meaning = "", label }) => [
    { text: name },
    value === null ? { text: meaning, color: dim } : { text: toOneLine(value, LONGEST_VALUE) },
    { text: label },
  ]);
  const read = files.map(({ path, scope }) => [{ text: `  ${scope}` }, { text: shortPath(path) }]);
  return [
    ...tableLines([headings, ...rows], page),
    "",
    ...(read.length === 0 ? ["No configuration file was read."] : ["Configuration files:", ...tableLines(read, page)]),
    ...mistakes.flatMap((mistake) => {
      const [first = "", ...rest] = page.isStrict
        ? wrapWords(toOneLine(mistake, 600), page.width - 2, true)
        : [toOneLine(mistake, 600)];
      return [`${red("✗")} ${first}`, ...rest.map((line) => `  ${line}`)];
    }),
    "",
  ].join("\n");
}
