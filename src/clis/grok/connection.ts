import type { ConnectionSettings } from "../../spec/provider/connection.ts";
import { refuseSettings } from "../shared/refuse.ts";

const NAMES: readonly string[] = [
  ...["model", "models.default", "models.extra_headers", "model_providers", "auth_provider", "auth", "grok_com_config"],
  ...["endpoints.models_base_url", "endpoints.models_list_url", "endpoints.models_endpoint", "endpoints.xai_api_base_url"],
  ...["endpoints.cli_chat_proxy_base_url", "endpoints.deployment_key"],
];
const PATHS = NAMES.map((name) => name.split("."));

/** A completion has a private home, so that Grok Build does not read the user's `config.toml` there. */
export const GROK_CONNECTION: ConnectionSettings = {
  files: ["config.toml", "managed_config.toml", "requirements.toml"].map((name) => ({
    variable: "GROK_HOME",
    folder: ".grok",
    name,
  })),
  read: (settings, about) => refuseSettings("Grok Build", settings, PATHS, about) ?? {},
};
