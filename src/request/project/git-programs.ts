import type { GitEntry } from "./git-config.ts";

/** Settings by which no program of a repository starts: each key with its values. */
export type GitOverride = { readonly key: string; readonly values: readonly string[] };

/**
 * Stands in for an external diff: git has no setting that switches one off, and an empty command fails. Git appends seven arguments: the second and the
 * fifth are the files.
 */
const PLAIN_DIFF = 'compare() { git diff --no-index --no-ext-diff --no-textconv -- "$2" "$5"; :; }; compare';

/** What a setting of the repository that names a program becomes, unless the user has a value of their own for it. */
type Rule = {
  /** The key; its groups are the parts that `instead` needs. */
  readonly key: RegExp;
  readonly instead: (key: string, name: string) => readonly GitOverride[];
  /** True for a setting that names no program and leads git to other repositories. */
  readonly leadsElsewhere?: true;
};

const own =
  (value: string): Rule["instead"] =>
  (key) => [{ key, values: [value] }];

const RULES: readonly Rule[] = [
  // These are off in every repository, by EVERYWHERE or by a variable.
  { key: /^core\.(?:fsmonitor|hookspath|pager|gitproxy)$|^pager\.|^protocol\.ext\.allow$/s, instead: () => [] },
  { key: /^diff\.external$|^diff\..+\.command$/s, instead: own(PLAIN_DIFF) },
  { key: /^diff\..+\.textconv$|^interactive\.difffilter$/s, instead: own("cat") },
  { key: /^filter\.(.+)\.(?:clean|smudge|process)$/s, instead: (key, name) => failing(key, `filter.${name}`) },
  { key: /^merge\..+\.driver$/s, instead: own("git merge-file --marker-size=%L %A %O %B") },
  { key: /^(?:core|sequence)\.editor$/, instead: own(":") },
  { key: /^core\.sshcommand$/, instead: own("ssh") },
  { key: /^core\.(?:askpass|virtualfilesystem)$|^credential\.(?:.+\.)?helper$|^alias\./s, instead: own("") },
  { key: /^gpg\.(?:openpgp\.)?program$/, instead: own("gpg") },
  { key: /^gpg\.x509\.program$/, instead: own("gpgsm") },
  { key: /^gpg\.ssh\.program$/, instead: own("ssh-keygen") },
  { key: /^gpg\.ssh\.defaultkeycommand$|^core\.alternaterefscommand$|^trailer\..+\.(?:command|cmd)$/s, instead: own("true") },
  { key: /^(?:difftool|mergetool|man|browser|guitool)\..+\.(?:cmd|path)$/s, instead: own("false") },
  { key: /^tar\..+\.command$|^instaweb\.|^imap\.tunnel$/s, instead: own("false") },
  { key: /^sendemail\.(?:.+\.)?(?:tocmd|cccmd|headercmd|sendmailcmd|smtpserver)$/s, instead: own("false") },
  { key: /^lfs\.(?:customtransfer\..+\.path|extension\..+\.(?:clean|smudge))$/s, instead: own("false") },
  { key: /^hook\.(.+)\.(?:command|event)$/s, instead: (_, name) => [{ key: `hook.${name}.enabled`, values: ["false"] }] },
  // Git takes the first value of these two, so only the transport that starts them here can be switched off.
  { key: /^remote\..+\.(?:uploadpack|receivepack)$/s, instead: () => [{ key: "protocol.file.allow", values: ["never"] }] },
  // Its values add up.
  {
    key: /^gc\.recentobjectshook$/,
    instead: () => [
      { key: "gc.auto", values: ["0"] },
      { key: "maintenance.auto", values: ["false"] },
    ],
  },
  { key: /^submodule\..+\.update$/s, instead: own("checkout"), leadsElsewhere: true },
  { key: /^submodule\..+\.ignore$/s, instead: own("dirty"), leadsElsewhere: true },
  { key: /^(?:submodule\.recurse|status\.submodulesummary)$/, instead: own("false"), leadsElsewhere: true },
  { key: /^diff\.submodule$/, instead: own("short"), leadsElsewhere: true },
];

/**
 * A file passed through instead of being filtered would be stored in the clear by a filter that encrypts, so a command that needs the filter fails: a required
 * filter without a program.
 */
function failing(key: string, filter: string): readonly GitOverride[] {
  return [
    { key, values: [""] },
    { key: `${filter}.required`, values: ["true"] },
  ];
}

export function programRule(key: string): Rule | undefined {
  return RULES.find((rule) => rule.key.test(key));
}

/** Settings that hold in every repository: what they switch off needs no name in a configuration, and `.git/hooks` has none. */
const EVERYWHERE: readonly GitOverride[] = [
  { key: "core.fsmonitor", values: ["false"] },
  { key: "core.hookspath", values: ["/dev/null"] },
  { key: "protocol.ext.allow", values: ["never"] },
];

/** The overrides for a repository with these settings. `user` has the user's own settings, which stay in force. */
export function overridesFor(repository: readonly GitEntry[], user: readonly GitEntry[]): readonly GitOverride[] {
  const named = repository.flatMap(({ key }) => {
    const rule = programRule(key);
    return rule === undefined ? [] : rule.instead(key, rule.key.exec(key)?.[1] ?? "");
  });
  const byKey = new Map([...EVERYWHERE, ...named].map((override) => [override.key, override]));
  // A command of git looks into the working trees of submodules by a git of their own.
  byKey.set("diff.ignoresubmodules", { key: "diff.ignoresubmodules", values: ["dirty"] });
  return [...byKey.values()].map((override) => withUsers(override, user));
}

/** Credential helpers add up, and an empty one removes those before it. */
function withUsers({ key, values }: GitOverride, user: readonly GitEntry[]): GitOverride {
  const rule = programRule(key);
  if (rule === undefined || rule.leadsElsewhere === true) return { key, values };
  const users = user.filter((entry) => entry.key === key).map(({ value }) => value);
  if (key.startsWith("credential.")) return { key, values: ["", ...users] };
  return { key, values: users.length === 0 ? values : users.slice(-1) };
}
