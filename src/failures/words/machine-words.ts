import type { Wording } from "./weights.ts";

const PATH = "['\"`(]?(?:/|~/|\\.{1,2}/|[A-Za-z]:\\\\)";
const SYSCALL =
  "(?:open|mkdir|mkdtemp|stat|lstat|scandir|unlink|rename|read|write|copyfile|access|realpath|symlink|readlink|rmdir|watch|chmod|utime|ftruncate)";

/** The words of faults of this machine: a program that is missing, files, sandboxes, versions and settings. */
export const MACHINE_WORDS: readonly Wording[] = [
  // Messages of the operating system when a program cannot be started.
  ["arguments-too-large", "plain", "always", /\bE2BIG\b|\bargument list too long/i],
  ["cli-not-executable", "plain", "always", /\bspawn\b.{0,400}\bEACCES\b|\bEACCES\b.{0,40}\bspawn\b/i],
  [
    "cli-missing",
    "plain",
    "always",
    /\bspawn\b.{0,400}\bENOENT\b|\bcommand not found\b|\bsh: (?:line )?\d+: [^:\n]{1,200}: not found|\bis not recognized as (?:an internal or external command|(?:the|a) name of a cmdlet)|不是内部或外部命令|无法将.{0,80}识别为 ?cmdlet|\bexecutable (?:file )?not found\b|\b(?:could not|cannot|can't|unable to) (?:find|locate) (?:[\w-]+ ){0,4}(?:executable|binary)\b|\benv: \W?[\w.-]{1,60}\W?: No such file or directory/i,
  ],
  // Files and sandboxes; a service that denies a permission names no path and no errno.
  [
    "cli-misconfigured",
    "plain",
    "always",
    /(?<!\bconnect )\bE(?:ACCES|PERM|ROFS|NOSPC|DQUOT|MFILE|NFILE|ISDIR|NOTDIR|LOOP|XDEV)\b|\bno space left on device|\bdisk quota exceeded|\bread-only file ?system|\btoo many open files|\(os error (?:1|13|24|28|30)\)/i,
    new RegExp(`\\bno such file or directory, ${SYSCALL}\\b(?! ['"](?![/~]|[A-Za-z]:))`, "i"),
    new RegExp(`\\bpermission denied\\b.{0,40}[\\s:]${PATH}|${PATH}[^\\s]{0,200}(?::| \\() ?permission denied`, "i"),
    /(?:^|\n)\s{0,8}(?!\w{0,30}error:|fatal:|warning:)[\w./-]{1,80}: (?:[^\n]{0,200}: )?(?:permission denied|operation not permitted|read-only file system)/i,
    /\b(?:bwrap|bubblewrap|landlock|seccomp|seatbelt|sandbox-exec)\b.{0,120}\b(?:fail\w*|error|panicked|denied|not permitted|not found|unavailable|unsupported|restrict|could not|cannot|can't|no permissions?)|\b(?:error|fail\w*|panicked|could not|cannot|unable to)\b.{0,60}\b(?:bwrap|bubblewrap|landlock|seccomp|seatbelt|sandbox)\b|\bmissing sandbox\b|\bsandbox (?:image|container|command)\b.{0,60}\b(?:missing|not found|could not|failed)|\bLandlockRestrict\b/i,
  ],
  // An option that the CLI does not know, and its settings. Fixtures bad-flag, not-git, untrusted-folder.
  [
    "unknown-option",
    "plain",
    "always",
    /\bunknown (?:command-line )?(?:option|flag|argument)|\bunexpected argument|\bunrecognized (?:option|argument|flag|subcommand)|\bno such option|\binvalid option --|\binvalid value '[^'\n]{0,80}' for '-|\b(?:option|flag|argument) ['"`]?-[^\n]{1,60} (?:is invalid|requires an? (?:value|argument)|expects|does not take|cannot be (?:empty|blank))|(?:^|[\s'"`])--[\w-]{1,40}['"`]? (?:option|flag|argument)\b[^.\n]{0,20}\b(?:cannot|must not|may not) be empty|\brequires an argument\b/i,
  ],
  [
    "cli-misconfigured",
    "sentence",
    "always",
    /\b(?:requires?|needs?) (?:at least )?node(?:\.?js)?\b|\b(?:not to|does not|doesn't|cannot|can't|not) (?:run|work|supported) (?:on|with) (?:[\w-]+ )?node(?:\.?js)?\b|\bsupports the following node versions\b|\bnode(?:\.?js)? (?:version )?(?:>= ?)?v?\d+(?:\.\d+){0,2}(?:\+| or (?:higher|newer|later|above))|\b(?:unsupported|outdated) (?:node|engine|platform|architecture|operating system)|\bEBADENGINE\b|\brequires? [\w. ]{1,40}\bv?\d+(?:\.\d+){0,3} or (?:higher|newer|later|above)|\bversion\b.{0,40}\b(?:is too old|is outdated|is no longer supported)|\bneeds an update\b/i,
    /\bnative binary (?:is |was )?not (?:found|installed)|\bmissing (?:optional |required |peer )?dependenc|\bcannot find (?:module|package|native binding)\b|\bsymbol not found\b|\berror relocating\b|\binsufficient permissions (?:to|for) (?:\w+ )?(?:npm|install|update|auto|write|create)|(?:^|\n)Node\.js v1\d\.\d{1,3}\.\d{1,3}\s{0,9}$|\bMODULE_NOT_FOUND\b|\bdoes not provide an export\b|\bloading shared librar|\bGLIBC(?:XX)?_|\bexec format error|\bcannot execute binary|\bbad CPU type|\brunning scripts is disabled|\bnot a valid Win32 application|\bERR_(?:DLOPEN|REQUIRE_ESM|UNKNOWN_BUILTIN)/i,
    /\b(?:fail\w*|could not|cannot|can't|unable|error|invalid|errors?) (?:to )?(?:load|parse|read|open|decode|validate|in|loading|parsing|reading)?\w{0,3} ?(?:the |your |its )?(?:[\w./~-]{1,120} )?(?:config(?:uration)?|settings)(?: file)?\b(?! error)|\b(?:config(?:uration)?|settings)(?: file)?\b(?! ?error).{0,80}\b(?:is (?:invalid|malformed|not valid|broken|corrupt\w*)|not valid JSON|parse error|unknown (?:field|key|variant)|invalid (?:type|value|input|json|toml))|\b(?:config(?:uration)?|settings) file (?:was )?not found|\bTOML parse error|\bconfig\.(?:toml|json|ya?ml)\b.{0,20}\d|\bsettings\.json\b.{0,60}\b(?:expected|unexpected|invalid)|\bConfig(?:Json|Invalid)?Error\b/i,
    /\bcannot use both\b|\bcannot be (?:used|combined|specified) (?:together|with)\b|\bmutually exclusive\b|\b(?:can only|must) be used with\b|\brequires? (?:the )?(?:--\w|[a-z-]+ flag)|\bno (?:suitable|valid|supported) shell\b|\bnot (?:running )?(?:inside|in) a trusted (?:directory|folder|workspace)|\b(?:folder|directory|workspace) is not trusted|\b(?:docker|podman|git|python3?|bash)\b['"`]? (?:command )?(?:is |was )?(?:not (?:found|installed|running|available)|required)|\bnot a git repository|\brequires (?:either )?(?:[\w-]+ ){0,2}(?:git|git-bash|bash|powershell|docker|podman|python3?|npm|wsl)\b|\braw mode is not supported|\bstdin is not a (?:tty|terminal)/i,
    /\b(?:unable to|could not|cannot|can't|failed to) (?:find|locate|load) (?:the )?(?:[\w-]+ ){0,4}(?:binaries|native (?:module|binding|addon))\b|\bre-?install (?:with|it|the|using|codex|claude|gemini|by running)\b|\b(?<!model )provider\b ["'`]?[\w.-]{1,60}["'`]? (?:was |is )?(?:not (?:found|configured|defined)|undefined)|\bunrecogni[sz]ed (?:key|field|setting|property)\b|\b(?:unknown|invalid) (?:config\w*|setting)s? (?:key|field|option|value)\b|\bwas required but not provided\b|\bthe argument '[^'\n]{1,80}' cannot be used with\b|\bmissing required (?:variable|setting|configuration|environment)|(?<!API_KEY )\bis not (?:set|configured|defined) in (?:your |the )?(?:config\w*|settings|environment|\.env)/i,
    /\b(?:set|setting|specify|define) (?:the )?GOOGLE_CLOUD_PROJECT\b|\binvalid (?:\w+ ){0,2}config\w*|\b(?:unknown|unsupported|invalid) (?:provider|auth (?:method|type))\b/i,
  ],
  // Weak: the variable of a key is about the login.
  [
    "cli-misconfigured",
    "trace",
    "always",
    /\b(?:environment variable|env var)s?\b.{0,60}\b(?:not set|unset|missing|undefined|required)\b|\b(?:missing|undefined|unset) (?:environment variable|env var)\b/i,
  ],
  // The program itself broke, and it says nothing about the reason.
  [
    "crashed",
    "nothing",
    "always",
    /(?:^|\n|Uncaught )(?:Type|Reference|Range|Syntax|Assertion|Internal)Error\b|\bpanicked at\b|\bpanic(?:\([^)\n]{0,40}\))?: |\bSegmentation fault|\bcore dumped|\bheap out of memory|\bout of memory\b|\bIllegal instruction|\bBus error\b|\bunhandled (?:promise )?rejection|\b(?:has|have) crashed\b|\bFATAL ERROR\b|\buncaught exception/i,
  ],
];
