import { isLoopback } from "../gateway/check-access.ts";

/**
 * The variable of the environment that names the port of a gateway on this machine as the API of a CLI, such as `ANTHROPIC_BASE_URL`. The CLIs
 * of that gateway would ask the gateway itself, without end. Undefined if there is none.
 */
export function variableWithOwnAddress(env: NodeJS.ProcessEnv, port: number): string | undefined {
  return Object.keys(env).find((name) => /_(?:BASE_URL|API_BASE)$/.test(name) && isAtPort(env[name] ?? "", port));
}

function isAtPort(address: string, port: number): boolean {
  if (!URL.canParse(address)) return false;
  const url = new URL(address);
  return isLoopback(url.hostname) && Number(url.port) === port;
}
