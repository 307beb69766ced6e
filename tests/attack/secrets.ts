import type { RunEvent } from "../../src/index.ts";
import type { Random } from "../support/random.ts";

/** Variables with secrets, as an environment has them. */
export type Secrets = Readonly<Record<string, string>>;

/** Secrets of known and of unknown shape. */
export function makeSecrets(random: Random): Secrets {
  const letters = (count: number): string => Array.from({ length: count }, () => Math.floor(random() * 36).toString(36)).join("");
  return {
    ANTHROPIC_API_KEY: `sk-ant-api03-${letters(80)}`,
    CODEX_API_KEY: `sk-proj-${letters(60)}`,
    GITHUB_TOKEN: `ghp_${letters(36)}`,
    DATABASE_PASSWORD: `correct-${letters(6)}-battery-${letters(6)}`,
    SERVICE_SECRET: letters(24),
  };
}

/** The secrets that stand in the events; none of the programs tells one as its answer. */
export function findSecrets(events: readonly RunEvent[], secrets: Secrets): readonly string[] {
  const told = new Set<string>();
  for (const event of events) {
    const text = toText(event);
    for (const [name, value] of Object.entries(secrets)) if (text.includes(value)) told.add(`${event.type} tells ${name}`);
  }
  return [...told];
}

/** Events that are no JSON break another rule. */
function toText(event: RunEvent): string {
  try {
    return JSON.stringify(event);
  } catch {
    return "";
  }
}
