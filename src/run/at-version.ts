import type { Provider, ProviderChange } from "../spec/provider.ts";
import { compareVersions } from "../spec/versions.ts";

/** The provider as it is for a version of its CLI: all changes that hold by then are made. An unknown version is taken for the newest proven. */
export function atVersion(provider: Provider, version: string | undefined): Provider {
  const { changes = [], versionsChecked } = provider;
  const at = version ?? versionsChecked?.newest;
  return changes.filter(({ since }) => at === undefined || compareVersions(at, since) >= 0).reduce(withChange, provider);
}

function withChange(provider: Provider, { since: _, set, ...fields }: ProviderChange): Provider {
  const env = set === undefined ? provider.env : { ...provider.env, set: { ...provider.env.set, ...set } };
  return { ...provider, ...fields, env };
}
