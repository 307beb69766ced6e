import { stringOf } from "../../spec/json.ts";
import type { ConnectionSettings } from "../../spec/provider/connection.ts";

const PROXIES: readonly string[] = ["HTTP_PROXY", "HTTPS_PROXY", "http_proxy", "https_proxy"];

/** A completion has settings of its own; the proxy of the user's is passed on as the variables that Copilot reads first. */
export const COPILOT_CONNECTION: ConnectionSettings = {
  files: [{ variable: "COPILOT_HOME", folder: ".copilot", name: "settings.json" }],
  read: ([settings = {}], { env }) => {
    const proxy = stringOf(settings["proxyUrl"]);
    const principal = stringOf(settings["proxyKerberosServicePrincipal"]);
    const isFree = proxy !== undefined && !PROXIES.some((name) => env[name]);
    return {
      env: {
        ...(isFree && { HTTP_PROXY: proxy, HTTPS_PROXY: proxy }),
        ...(principal !== undefined && !env["COPILOT_PROXY_KERBEROS_SPN"] && { COPILOT_PROXY_KERBEROS_SPN: principal }),
      },
    };
  },
};
