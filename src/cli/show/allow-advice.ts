import { isJsonObject } from "../../spec/json.ts";
import type { Provider } from "../../spec/provider/provider.ts";
import type { PermissionDenied } from "../../spec/wire/events.ts";
import { isPlainCommand } from "./permission-desk.ts";

/** Names the option that allows a denied call of this provider, in a sentence; undefined if no option allows so little. */
export type AllowAdvice = (provider: string, denied: Pick<PermissionDenied, "name" | "input">) => string | undefined;

/** A name that no shell and no option parser can misread. */
const PLAIN_NAME = /^[a-z][\w.-]{0,59}$/i;

/**
 * The advice of `cox ask` and `cox chat`. A command gets a pattern for this command alone, and no advice where the CLI does not keep to such
 * a pattern or the shell would interpret the command. Any other tool can only be allowed whole, and the words say so.
 */
export function allowAdviceOf(providers: readonly Provider[]): AllowAdvice {
  return (id, { name, input }) => {
    const provider = providers.find((each) => each.id === id);
    if (provider === undefined || !provider.options.includes("tool-patterns")) return undefined;
    const command = isJsonObject(input) ? input["command"] : undefined;
    if (command === undefined) return allowToolAdvice(id, { name, input });
    if (typeof command !== "string" || !isPlainCommand(command) || !PLAIN_NAME.test(name)) return undefined;
    const pattern = `${name}(${command})`;
    const request = { prompt: "", mode: "agent", permissions: { allow: [pattern] } } as const;
    return provider.refuse?.(request, {}) === undefined ? `To allow this command: --allow-tool '${pattern}'` : undefined;
  };
}

/** The advice of `cox run`, which allows whole tools of MCP servers. */
export const allowToolAdvice: AllowAdvice = (_provider, { name }) =>
  `To allow all its calls: --allow-tool ${PLAIN_NAME.test(name) ? name : "<pattern>"}`;
