import type { ModelReport } from "../../spec/health.ts";
import type { Colors } from "./screen.ts";
import { toUnbrokenText } from "./terminal-text.ts";

/** The models of each CLI, one in a line below its name; `accountless` are the providers without an account. */
export function modelsView(reports: readonly ModelReport[], accountless: readonly string[], colors: Colors): string {
  if (reports.length === 0) return "No CLI is installed. Name one to see the models that Coxswain knows: cox models claude\n";
  return `${reports.map((report) => modelLines(report, toSource(report, accountless), colors).join("\n")).join("\n\n")}\n`;
}

function toSource({ provider, source }: ModelReport, accountless: readonly string[]): string {
  if (source === "cli") return "as the CLI lists them";
  return accountless.includes(provider) ? "known to Coxswain" : "known to Coxswain; the account may have others";
}

function modelLines({ provider, models, defaultModel }: ModelReport, from: string, { bold, dim }: Colors): readonly string[] {
  const names = models.map((name) => `  ${toUnbrokenText(name)}${name === defaultModel ? dim(" (default)") : ""}`);
  return [`${bold(provider)} ${dim(`(${from})`)}`, ...(names.length === 0 ? ["  none is known"] : names)];
}
