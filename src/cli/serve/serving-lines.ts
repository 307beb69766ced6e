import type { Colors } from "../terminal/screen.ts";
import { shortPath } from "../terminal/short-path.ts";

/** What a person needs to use a gateway. */
export type Serving = {
  readonly url: string;
  /** The file with the token; absent without one. */
  readonly tokenPath?: string;
  /** True if other machines can reach the gateway. */
  readonly isOpen: boolean;
  /** A model that can be asked. */
  readonly model: string;
};

/** The lines that are printed when a gateway listens: where it is, who can reach it, where the token is, and how to try it. */
export function servingLines({ url, tokenPath, isOpen, model }: Serving, { bold, cyan, dim, yellow }: Colors): string {
  const key = tokenPath === undefined ? "none" : "$(cox serve token)";
  const body = JSON.stringify({ model, messages: [{ role: "user", content: "Hello" }] });
  return [
    `${bold("Coxswain listens at")} ${cyan(url)}  ${dim("(Ctrl-C stops it)")}`,
    ...(tokenPath === undefined
      ? ["No token is required: every program of this machine can use your CLIs."]
      : [`The token is in ${shortPath(tokenPath)};`, `${bold("cox serve token")} prints it.`]),
    ...(isOpen
      ? [
          yellow("Other machines can reach it by the names of --allow-host."),
          "HTTP is not encrypted: use it in networks that you trust.",
        ]
      : []),
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
