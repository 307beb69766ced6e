import { thrownMessage } from "../spec/failure/failure.ts";
import type { ConfigEntry } from "./config-entry.ts";
import type { JsonNode, PlacedMistake } from "./json-node.ts";

/** Checks what the schema cannot express: fields that need or exclude each other, and ids that are in use. */
export function checkMeaning(entry: ConfigEntry, node: JsonNode, used: ReadonlySet<string>): readonly PlacedMistake[] {
  const { providerId, outputFormat = "text", promptStyle, defaultModel, models = [], errors = [] } = entry;
  const at = (...path: readonly (string | number)[]): number => offsetAt(node, path);
  const mistakes: PlacedMistake[] = [];
  const note = (isWrong: boolean, offset: number, message: string): void => void (isWrong && mistakes.push({ offset, message }));
  note(used.has(providerId), at("providerId"), `"${providerId}" is the id of another provider; choose a different id`);
  const isKnown = models.length === 0 || models.some(({ modelId }) => modelId === defaultModel);
  note(defaultModel !== undefined && !isKnown, at("defaultModel"), `"${defaultModel}" is not in models`);
  for (const name of ["promptFlag", "endOfOptions"] as const)
    note(entry[name] !== undefined && promptStyle !== "arg", at(name), `${name} needs promptStyle "arg"`);
  note(
    entry.extraction !== undefined && outputFormat === "text",
    at("extraction"),
    "extraction needs outputFormat json or stream-json",
  );
  const ends = entry.extraction?.end !== undefined && outputFormat === "json";
  note(ends, at("extraction", "end"), "end is only for outputFormat stream-json");
  for (const [index, { text, exitCode }] of errors.entries()) {
    note(text === undefined && exitCode === undefined, at("errors", index), "a rule needs text or exitCode");
    const problem = text === undefined ? undefined : patternProblem(text);
    if (problem !== undefined) mistakes.push({ offset: at("errors", index, "text"), message: problem });
  }
  return mistakes;
}

function offsetAt(node: JsonNode, path: readonly (string | number)[]): number {
  let at: JsonNode | undefined = node;
  for (const step of path) at = typeof step === "number" ? at?.items?.[step] : at?.members?.get(step)?.node;
  return (at ?? node).offset;
}

function patternProblem(pattern: string): string | undefined {
  try {
    new RegExp(pattern, "i");
    return undefined;
  } catch (error) {
    return thrownMessage(error);
  }
}
