import { describeRange } from "../../spec/versions.ts";
import type { Colors } from "./colors.ts";
import type { ProviderFacts } from "./provider-table.ts";
import { type Cell, tableLines, wrapWords } from "./table.ts";
import { toCommandText, toUnbrokenText } from "./terminal-text.ts";

/** All facts about one CLI, for people: its path, its capabilities and its limitations. */
export function providerDetail(facts: ProviderFacts, { bold }: Colors, width: number): string {
  const rows: readonly (readonly [string, string])[] = [
    ["program", facts.builtIn ? "built in" : (facts.found ?? "not found")],
    ["from", facts.origin === null ? "built in" : facts.origin],
    ["install", toCommandText(facts.install) || "–"],
    ["login", toCommandText(facts.login ?? "none")],
    ["models", facts.models.join(", ") || "its own"],
    ["default model", facts.defaultModel ?? "its own"],
    ["streaming", facts.streaming],
    ["sessions", facts.sessions ? "yes" : "no"],
    ["system prompt", facts.systemPrompt],
    ["own tools", facts.ownTools === "off" ? "can be switched off" : "cannot be switched off"],
    ["structured", facts.structuredOutput],
    ["checked with", facts.versionsChecked === null ? "–" : describeRange(facts.versionsChecked)],
  ];
  const limits = facts.limitations.flatMap((limit) => {
    const [first = "", ...rest] = wrapWords(limit, width - 4);
    return [`  - ${first}`, ...rest.map((line) => `    ${line}`)];
  });
  return [
    bold(toUnbrokenText(`${facts.label} (${facts.id})`)),
    ...tableLines(rows.flatMap(([name, text]) => toRows(name, text, width))),
    ...(limits.length === 0 ? [] : ["", bold("Limitations"), ...limits]),
    "",
  ].join("\n");
}

const NAME_WIDTH = 15;

/** Long text is wrapped into further rows. */
function toRows(name: string, text: string, width: number): readonly (readonly Cell[])[] {
  return wrapWords(text, width - NAME_WIDTH - 2).map((line, index) => [{ text: index === 0 ? `  ${name}` : "" }, { text: line }]);
}
