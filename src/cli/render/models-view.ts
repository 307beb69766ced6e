import type { ModelReport } from "../../spec/health.ts";
import type { Colors } from "./screen.ts";
import { toUnbrokenText } from "./terminal-text.ts";

/** The models of each CLI, one in a line below its name. */
export function modelsView(reports: readonly ModelReport[], colors: Colors): string {
  if (reports.length === 0) return "No CLI is installed. Name one to see the models that Coxswain knows: cox models claude\n";
  return `${reports.map((report) => modelLines(report, colors).join("\n")).join("\n\n")}\n`;
}

function modelLines({ provider, models, defaultModel, source }: ModelReport, { bold, dim }: Colors): readonly string[] {
  const from = source === "cli" ? "as the CLI lists them" : "known to Coxswain; the account may have others";
  const names = models.map((name) => `  ${toUnbrokenText(name)}${name === defaultModel ? dim(" (default)") : ""}`);
  return [`${bold(provider)} ${dim(`(${from})`)}`, ...(names.length === 0 ? ["  none is known"] : names)];
}
