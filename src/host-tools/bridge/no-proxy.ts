/**
 * The variables by which a CLI reaches a server on the loopback interface directly, although its environment names a proxy for all others; none
 * if it names no proxy.
 */
export function noProxyFor(host: string, env: Readonly<Record<string, string | undefined>>): Readonly<Record<string, string>> {
  const of = (name: string): string => env[name] || env[name.toLowerCase()] || "";
  if (!["HTTP_PROXY", "HTTPS_PROXY", "ALL_PROXY"].some((name) => of(name) !== "")) return {};
  const listed = [...new Set([env["NO_PROXY"], env["no_proxy"]])].filter((list) => list !== undefined && list !== "");
  if (listed.includes("*")) return {};
  const value = [...listed, host].join(",");
  return { NO_PROXY: value, no_proxy: value };
}
