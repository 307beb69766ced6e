import type { Colors } from "./screen.ts";
import { shortPath } from "./short-path.ts";

/** What a person needs to use a gateway. */
export type Serving = {
  readonly url: string;
  /** The file with the token; absent without one. */
  readonly tokenPath?: string;
  /** A model that can be asked. */
  readonly model: string;
};

/** The lines that are printed when a gateway listens: where it is, where the token is, and two ways to try it. */
export function servingLines({ url, tokenPath, model }: Serving, { bold, cyan, dim }: Colors): string {
  const key = tokenPath === undefined ? "none" : "$(cox serve token)";
  const body = JSON.stringify({ model, messages: [{ role: "user", content: "Hello" }] });
  return [
    `${bold("Coxswain listens at")} ${cyan(url)}  ${dim("(Ctrl-C stops it)")}`,
    ...(tokenPath === undefined
      ? ["No token is required: every program of this machine can use your CLIs."]
      : [`The token is in ${shortPath(tokenPath)};`, `${bold("cox serve token")} prints it.`]),
    "",
    dim("Try it:"),
    `  curl ${url}/v1/chat/completions \\`,
    ...(tokenPath === undefined ? [] : [`    -H "Authorization: Bearer ${key}" \\`]),
    `    -H "Content-Type: application/json" \\`,
    `    -d '${body}'`,
    dim("Or point a program at it:"),
    `  export OPENAI_BASE_URL=${url}/v1`,
    `  export OPENAI_API_KEY=${key}`,
    dim("Or one that uses the API of Anthropic:"),
    `  export ANTHROPIC_BASE_URL=${url}`,
    `  export ANTHROPIC_API_KEY=${key}`,
    "",
    "",
  ].join("\n");
}
