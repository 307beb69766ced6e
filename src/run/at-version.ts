import { withSpawn } from "../spec/define-provider.ts";
import type { Provider, ProviderChange } from "../spec/provider.ts";
import { compareVersions } from "../spec/versions.ts";

/**
 * The provider for a version of its CLI: with all changes up to that version. An unknown version counts as the newest tested one.
 */
export function atVersion(provider: Provider, version: string | undefined): Provider {
  const { changes = [], versionsChecked } = provider;
  const at = version ?? versionsChecked?.newest;
  return changes.filter(({ since }) => at === undefined || compareVersions(at, since) >= 0).reduce(withChange, provider);
}

function withChange(provider: Provider, { since: _, set, limits, ...fields }: ProviderChange): Provider {
  const env = set === undefined ? provider.env : { ...provider.env, set: { ...provider.env.set, ...set } };
  const changed = { ...provider, ...fields, env };
  return limits === undefined ? changed : withSpawn(changed, { limits });
}
