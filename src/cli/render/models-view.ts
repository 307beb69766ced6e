import type { ModelReport } from "../../spec/health.ts";
import { WordFlow } from "./markdown/word-flow.ts";
import type { Colors, Page } from "./screen.ts";
import { wrapWords } from "./table.ts";
import { toUnbrokenText } from "./terminal-text.ts";

const NONE = "No CLI is installed. Name one to see the models that Coxswain knows: cox models claude";

/**
 * The models of each CLI, one in a line below its name; `accountless` are the providers without an account. The name of a model stays
 * whole, so that it can be copied.
 */
export function modelsView(
  reports: readonly ModelReport[],
  accountless: readonly string[],
  colors: Colors,
  { width }: Page,
): string {
  if (reports.length === 0) return `${wrapWords(NONE, width).join("\n")}\n`;
  const blocks = reports.map((report) => [
    headingOf(report, toSource(report, accountless), colors, width),
    ...modelLines(report, colors),
  ]);
  return `${blocks.map((lines) => lines.join("\n")).join("\n\n")}\n`;
}

function toSource({ provider, source }: ModelReport, accountless: readonly string[]): string {
  if (source === "cli") return "as the CLI lists them";
  return accountless.includes(provider) ? "known to Coxswain" : "known to Coxswain; the account may have others";
}

function headingOf({ provider }: ModelReport, from: string, { bold, dim }: Colors, width: number): string {
  const flow = new WordFlow(width, { first: "", rest: "  " });
  return flow.add([
    { text: provider, style: bold },
    { text: ` (${from})`, style: dim },
  ]);
}

function modelLines({ models, defaultModel }: ModelReport, { dim }: Colors): readonly string[] {
  if (models.length === 0) return ["  none is known"];
  return models.map((name) => `  ${toUnbrokenText(name)}${name === defaultModel ? dim(" (default)") : ""}`);
}
