import { readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, it } from "vitest";
import { readDesignNames } from "../support/documents/design-names.ts";

const checkout = join(import.meta.dirname, "../..");

/** The names that the design documents themselves use. */
const NAMES = `
  ModelAdapter isModelAdapter createClaudeCliProvider ClaudeCliProviderOptions createCodexCliProvider CodexCliProviderOptions model cliPath timeout maxBuffer
  inputEncoding messagesToXml messagesToPrompt escapeXml parseToolCalls execFileAsync ensureModel TOOL_CALL_FORMAT
  providerId command defaultArgs outputFormat promptStyle models defaultModel maxTokens classifyError category shouldRetry shouldFallback retryAfterMs INV-CLI-PARSE-001
  validateEnvironment createSession sendMessage submitToolResults resumeSession AuthenticationError RateLimitError NetworkError InvalidResponseError
  EnvironmentError ToolPermissionError file-tools
  claude-code ask askWithHistory askStructured GetMCPConfigJSON WithMCPConfig content tool_call tool_call_start tool_call_end toolCall toolName toolCallId toolArgs
  toolResult toolDuration
`
  .trim()
  .split(/\s+/);

type Exports = Readonly<Record<string, { readonly "coxswain-source": string }>>;

it("docs/design-documents.md has every name of the design documents", () => {
  const said = readDesignNames()
    .map((name) => name.said)
    .join("\n");
  const isSaid = (name: string): boolean => new RegExp(`(?<![\\w-])${name}(?![\\w-])`).test(said);
  expect(NAMES.filter((name) => !isSaid(name))).toEqual([]);
});

it("every import of docs/design-documents.md is an export of the package", async () => {
  const { exports } = JSON.parse(readFileSync(join(checkout, "package.json"), "utf8")) as { readonly exports: Exports };
  const names = readDesignNames().filter(({ here }) => here !== "");
  expect(names.length).toBeGreaterThan(80);
  for (const { here, entry } of names) {
    const [root = ""] = here.split(".");
    const source = join(checkout, exports[entry.replace("coxswain", ".")]?.["coxswain-source"] ?? "no such entry");
    if (/^[a-z]/.test(root)) expect(await import(source), `${root} of ${entry}`).toHaveProperty(root);
    else
      expect(readFileSync(source, "utf8"), `${root} of ${entry}`).toMatch(
        new RegExp(`^export .*\\b${root}\\b|^ {2}.*\\b${root},$`, "m"),
      );
  }
});
