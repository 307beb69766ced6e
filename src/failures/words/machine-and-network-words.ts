import type { Wording } from "./weights.ts";

const PATH = "['\"`(]?(?:/|~/|\\.{1,2}/|[A-Za-z]:\\\\)";
const SYSCALL =
  "(?:open|mkdir|mkdtemp|stat|lstat|scandir|unlink|rename|read|write|copyfile|access|realpath|symlink|readlink|rmdir|watch|chmod|utime|ftruncate)";

/** The words of faults of this machine: a program that is missing, files, sandboxes, versions and settings. */
export const MACHINE_WORDS: readonly Wording[] = [
  // Messages of the operating system when a program cannot be started.
  ["arguments-too-large plain", /\bE2BIG\b|\bargument list too long/i],
  ["cli-not-executable plain", /\bspawn\b.{0,400}\bEACCES\b|\bEACCES\b.{0,40}\bspawn\b/i],
  [
    "cli-missing plain",
    /\bspawn\b.{0,400}\bENOENT\b|\bcommand not found\b|\bsh: (?:line )?\d+: [^:\n]{1,200}: not found|\bis not recognized as (?:an internal or external command|(?:the|a) name of a cmdlet)|不是内部或外部命令|无法将.{0,80}识别为 ?cmdlet|\bexecutable (?:file )?not found\b|\b(?:could not|cannot|can't|unable to) (?:find|locate) (?:[\w-]+ ){0,4}(?:executable|binary)\b|\benv: \W?[\w.-]{1,60}\W?: No such file or directory/i,
  ],
  // Files and sandboxes; a service that denies a permission names no path and no errno.
  [
    "cli-misconfigured plain",
    /(?<!\bconnect )\bE(?:ACCES|PERM|ROFS|NOSPC|DQUOT|MFILE|NFILE|ISDIR|NOTDIR|LOOP|XDEV)\b|\bno space left on device|\bdisk quota exceeded|\bread-only file ?system|\btoo many open files|\(os error (?:1|13|24|28|30)\)/i,
    new RegExp(`\\bno such file or directory, ${SYSCALL}\\b(?! ['"](?![/~]|[A-Za-z]:))`, "i"),
    new RegExp(`\\bpermission denied\\b.{0,40}[\\s:]${PATH}|${PATH}[^\\s]{0,200}(?::| \\() ?permission denied`, "i"),
    /(?:^|\n)\s{0,8}(?!\w{0,30}error:|fatal:|warning:)[\w./-]{1,80}: (?:[^\n]{0,200}: )?(?:permission denied|operation not permitted|read-only file system)/i,
    /\b(?:bwrap|bubblewrap|landlock|seccomp|seatbelt|sandbox-exec)\b.{0,120}\b(?:fail\w*|error|panicked|denied|not permitted|not found|unavailable|unsupported|restrict|could not|cannot|can't|no permissions?)|\b(?:error|fail\w*|panicked|could not|cannot|unable to)\b.{0,60}\b(?:bwrap|bubblewrap|landlock|seccomp|seatbelt|sandbox)\b|\bmissing sandbox\b|\bsandbox (?:image|container|command)\b.{0,60}\b(?:missing|not found|could not|failed)|\bLandlockRestrict\b/i,
  ],
  // An option that the CLI does not know, and its settings. Fixtures bad-flag, not-git, untrusted-folder.
  [
    "unknown-option plain",
    /\bunknown (?:command-line )?(?:option|flag|argument)|\bunexpected argument|\bunrecognized (?:option|argument|flag|subcommand)|\bno such option|\binvalid option --|\binvalid value '[^'\n]{0,80}' for '-|\b(?:option|flag|argument) ['"`]?-[^\n]{1,60} (?:is invalid|requires an? (?:value|argument)|expects|does not take|cannot be (?:empty|blank))|(?:^|[\s'"`])--[\w-]{1,40}['"`]? (?:option|flag|argument)\b[^.\n]{0,20}\b(?:cannot|must not|may not) be empty|\brequires an argument\b/i,
  ],
  [
    "cli-misconfigured sentence",
    /\b(?:requires?|needs?) (?:at least )?node(?:\.?js)?\b|\b(?:not to|does not|doesn't|cannot|can't|not) (?:run|work|supported) (?:on|with) (?:[\w-]+ )?node(?:\.?js)?\b|\bsupports the following node versions\b|\bnode(?:\.?js)? (?:version )?(?:>= ?)?v?\d+(?:\.\d+){0,2}(?:\+| or (?:higher|newer|later|above))|\b(?:unsupported|outdated) (?:node|engine|platform|architecture|operating system)|\bEBADENGINE\b|\brequires? [\w. ]{1,40}\bv?\d+(?:\.\d+){0,3} or (?:higher|newer|later|above)|\bversion\b.{0,40}\b(?:is too old|is outdated|is no longer supported)|\bneeds an update\b/i,
    /\bnative binary (?:is |was )?not (?:found|installed)|\bmissing (?:optional |required |peer )?dependenc|\bcannot find (?:module|package|native binding)\b|\bsymbol not found\b|\berror relocating\b|\binsufficient permissions (?:to|for) (?:\w+ )?(?:npm|install|update|auto|write|create)|(?:^|\n)Node\.js v1\d\.\d{1,3}\.\d{1,3}\s{0,9}$|\bMODULE_NOT_FOUND\b|\bdoes not provide an export\b|\bloading shared librar|\bGLIBC(?:XX)?_|\bexec format error|\bcannot execute binary|\bbad CPU type|\brunning scripts is disabled|\bnot a valid Win32 application|\bERR_(?:DLOPEN|REQUIRE_ESM|UNKNOWN_BUILTIN)/i,
    /\b(?:fail\w*|could not|cannot|can't|unable|error|invalid|errors?) (?:to )?(?:load|parse|read|open|decode|validate|in|loading|parsing|reading)?\w{0,3} ?(?:the |your |its )?(?:[\w./~-]{1,120} )?(?:config(?:uration)?|settings)(?: file)?\b(?! error)|\b(?:config(?:uration)?|settings)(?: file)?\b(?! ?error).{0,80}\b(?:is (?:invalid|malformed|not valid|broken|corrupt\w*)|not valid JSON|parse error|unknown (?:field|key|variant)|invalid (?:type|value|input|json|toml))|\b(?:config(?:uration)?|settings) file (?:was )?not found|\bTOML parse error|\bconfig\.(?:toml|json|ya?ml)\b.{0,20}\d|\bsettings\.json\b.{0,60}\b(?:expected|unexpected|invalid)|\bConfig(?:Json|Invalid)?Error\b/i,
    /\bcannot use both\b|\bcannot be (?:used|combined|specified) (?:together|with)\b|\bmutually exclusive\b|\b(?:can only|must) be used with\b|\brequires? (?:the )?(?:--\w|[a-z-]+ flag)|\bno (?:suitable|valid|supported) shell\b|\bnot (?:running )?(?:inside|in) a trusted (?:directory|folder|workspace)|\b(?:folder|directory|workspace) is not trusted|\b(?:docker|podman|git|python3?|bash)\b['"`]? (?:command )?(?:is |was )?(?:not (?:found|installed|running|available)|required)|\bnot a git repository|\brequires (?:either )?(?:[\w-]+ ){0,2}(?:git|git-bash|bash|powershell|docker|podman|python3?|npm|wsl)\b|\braw mode is not supported|\bstdin is not a (?:tty|terminal)/i,
    /\b(?:unable to|could not|cannot|can't|failed to) (?:find|locate|load) (?:the )?(?:[\w-]+ ){0,4}(?:binaries|native (?:module|binding|addon))\b|\bre-?install (?:with|it|the|using|codex|claude|gemini|by running)\b|\b(?<!model )provider\b ["'`]?[\w.-]{1,60}["'`]? (?:was |is )?(?:not (?:found|configured|defined)|undefined)|\bunrecogni[sz]ed (?:key|field|setting|property)\b|\b(?:unknown|invalid) (?:config\w*|setting)s? (?:key|field|option|value)\b|\bwas required but not provided\b|\bthe argument '[^'\n]{1,80}' cannot be used with\b|\bmissing required (?:variable|setting|configuration|environment)|(?<!API_KEY )\bis not (?:set|configured|defined) in (?:your |the )?(?:config\w*|settings|environment|\.env)/i,
    /\b(?:set|setting|specify|define) (?:the )?GOOGLE_CLOUD_PROJECT\b|\binvalid (?:\w+ ){0,2}config\w*|\b(?:unknown|unsupported|invalid) (?:provider|auth (?:method|type))\b/i,
  ],
  // Weak: the variable of a key is about the login.
  [
    "cli-misconfigured trace",
    /\b(?:environment variable|env var)s?\b.{0,60}\b(?:not set|unset|missing|undefined|required)\b|\b(?:missing|undefined|unset) (?:environment variable|env var)\b/i,
  ],
  // The program itself broke, and it says nothing about the reason.
  [
    "crashed nothing",
    /(?:^|\n|Uncaught )(?:Type|Reference|Range|Syntax|Assertion|Internal)Error\b|\bpanicked at\b|\bpanic(?:\([^)\n]{0,40}\))?: |\bSegmentation fault|\bcore dumped|\bheap out of memory|\bout of memory\b|\bIllegal instruction|\bBus error\b|\bunhandled (?:promise )?rejection|\b(?:has|have) crashed\b|\bFATAL ERROR\b|\buncaught exception/i,
  ],
];

/** The words of services that fail for now, and of connections that fail or break. */
export const NETWORK_WORDS: readonly Wording[] = [
  // Fixtures error-529-*, codex/error-500; bodies of a 503 that contain "overloaded".
  ["overloaded sentence if server-status", /\boverloaded/i],
  [
    "overloaded sentence",
    /\b(?:high|heavy|increased|peak|exceptional|unusual(?:ly high)?) (?:[\w-]+ )?(?:demand|load|traffic|volume)\b|\b(?:servers?|services?|models?|systems?|backends?|apis?|engines?|clusters?|providers?|upstreams?)\b[^.\n]{0,30}\b(?:too busy|is busy|are busy|overwhelmed|saturated|not ready|warming up|still loading)\b|\b(?:capacity|resource) (?:limits|shortage|(?:temporarily |currently )?exceeded)\b|\bno (?:healthy|available) (?:upstream|instance|server|backend|replica|channel|worker|provider)s?\b|\bno instances? available\b|\bModelNotReady/i,
    /\bunder (?:high|heavy) load|\bservers? (?:is|are) (?:currently |too )?busy\b|\bserver_is_overloaded|\bno (?:provider|backend|upstream|instance|worker)s? (?:is |are )?(?:currently )?available\b|\b529 overloaded/i,
  ],
  [
    "server-error sentence",
    /\b(?:temporarily|currently|momentarily) (?:unavailable|not available|down|offline)\b|\b(?:under|scheduled|undergoing|for) maintenance\b|\b(?:service|api|partial|major) (?:outage|disruption)\b|\bservice (?:is )?(?:down|degraded)\b|\bServiceUnavailable|\bInternalServer(?:Error|Exception)|\bModelServingError|\bModelErrorException/i,
  ],
  // Fixtures error-stream-cut*, error-connection-refused*.
  [
    "connection-lost sentence",
    /\bEPIPE\b|\bECONNABORTED\b|\bconnection\b.{0,40}\b(?:lost|dropped|interrupted|closed|aborted|reset|terminated)\b|\bother side closed|\bpremature close|\bPREMATURE_CLOSE|\bbroken pipe|\breset by peer|\bpeer closed\b|\bGOAWAY\b|\bERR_HTTP2|\bUND_ERR_SOCKET/i,
    // Codex writes this when the service closes a connection that was open (tests/real/broken-answers).
    /\bbefore completion: error sending request/i,
    /\bTransport error\b|\bsocket (?:connection )?(?:was |has )?(?:been )?(?:disconnected|closed|ended|destroyed)\b|\bsocket hung up\b|\bincomplete chunked read|\berror decoding response body|\bunexpected (?:end of (?:stream|file)|eof)\b|: EOF\s*$|\bIncompleteRead\b|\b(?:server|peer|remote|host|upstream|client) (?:unexpectedly )?(?:disconnected|hung up|closed the connection)\b|\bdisconnected without sending\b|\bRemote(?:Protocol|Disconnected)\w*|\b(?:web ?socket|socket|channel)\b[^.\n]{0,30}\b(?:closed|dropped|lost|reset|broken|disconnected)\b|\blost (?:the |its )?connection\b|\bconnection (?:ended|broke|broken|went away)\b|\bmid-(?:response|stream)\b|\b(?:response|stream|body|connection) (?:was )?(?:ended|closed|cut off) prematurely/i,
    /(?:^|error(?: \([^)\n]{0,80}\))?: ?|(?:cause|fail(?:ed|ure)|reason): ?|\[)terminated\b(?! (?:by|with|after|due))/i,
  ],
  [
    "connection-failed sentence",
    /\bEAI_AGAIN\b|\bE(?:NET|HOST)UNREACH\b|\bENETDOWN\b|\bfailed to lookup address|\bunable to connect|\b(?:could|can) ?(?:not|n't|'t) (?:connect|reach|resolve (?:host|proxy|the (?:host|address)|[\w-]{1,60}\.))|\berror sending request|\bfetch failed|\bfailed to fetch\b(?=\s*(?:$|[.:,;)("'\]]|from\b|https?:))|\bconnection (?:was )?refused|\b(?:refused|declined) (?:the |a |our |your )?(?:\w+ )?connection|\bConnectionRefused|\bFailedToOpenSocket|\bConnection error\b|\bnetwork is unreachable|\bno internet\b|\binternet connection (?:is|was|seems|appears) (?:[\w-]+ )?(?:unreliable|unstable|down|lost|offline)\b|\bUND_ERR_CONNECT|\btcp connect error|\bdns error\b|\bERR_(?:CONNECTION|INTERNET|NAME_NOT|NETWORK|ADDRESS)|\btrouble connecting\b|\bname resolution\b|\bnetwork (?:request failed|connection (?:failed|error|lost))/i,
    /\bname or service not known|\bnodename nor servname|\btemporary failure in name|\bno (?:route to host|address associated|such host)\b|\bmax retries exceeded with url|\b(?:API)?Connect(?:ion)?(?:Error|Exception|Timeout)\b|\bProxyError\b|\bSSLError\b|\bNewConnectionError\b|\bReadError\b|\bENETRESET\b|\bEHOSTDOWN\b|\bdial tcp\b|\bconnectex\b|\bconnection attempt failed|\b(?:host|server|network|service|endpoint|proxy) (?:is |was )?(?:unreachable|not reachable)|\b(?:you are|appear to be|seem to be|device is|computer is) offline\b|\bcould not establish (?:a )?(?:secure )?connection|\b(?:failed|unable) to (?:establish|open|make) (?:a |the )?(?:[\w-]+ )?connection\b|\bpoor (?:internet|network)\b/i,
    /\brequest to \S{1,300} failed\b|\bfailed to connect to (?:the )?(?:api|server|service|host|proxy|(?:https?|wss?):|[\w-]{1,60}\.[\w-])|\berror trying to connect\b|\bunable to (?:reach|resolve) (?:the )?(?:[\w.-]+ )?(?:api|host|server|service|address|network)/i,
    /(?<![a-z])self[- _]?signed|\bunable to (?:verify|get local issuer|get issuer)|\bUNABLE_TO_(?:VERIFY|GET)|(?<![A-Za-z])CERT_[A-Z_]{3,}|(?<![a-z])altname|\bcertificate\b.{0,60}\b(?:expired|invalid|verif\w+|untrusted|unknown|not trusted|revoked|mismatch)|\b(?:invalid|untrusted|expired|bad|unknown) certificate|\bCERTIFICATE_VERIFY_FAILED|\bUnknownIssuer\b/i,
    /\b(?:ssl|tls)(?:v?\d(?:\.\d)?)?\b.{0,60}\b(?:alert|handshake|disconnected|fail\w*|error)|\balert (?:handshake|internal|protocol|number)|\bhandshake ?(?:failure|failed|error|eof)|\bfatal alert\b|\bEPROTO\b|\bERR_(?:SSL|TLS)|\bwrong version number|\bbad record mac|\bsecure TLS connection|\btlsv1 alert/i,
    /\bproxy\b.{0,60}\b(?:refused|failed|unreachable|denied)|\btunneling socket|\bERR_PROXY/i,
  ],
  // A wrapper: "stream disconnected before completion: Rate limit reached …" is the limit.
  [
    "connection-lost wrapper",
    /\b(?:response|stream) stalled\b|\bstream (?:was |has been )?(?:disconnected|closed|ended|interrupted|aborted) (?:before|unexpectedly|early|prematurely)/i,
  ],
  // After the connections: a CLI that cannot reach the service also prints "failed to authenticate" (fixture grok/resume-unknown).
  [
    "not-logged-in wrapper",
    /\bfailed to authenticate|\b(?:failed|unable) to (?:log|sign) ?in\b|\b(?:log-?in|sign-?in) (?:failed|required|error)|\bauthori[sz]ation (?:error|failed|required)|\bauthentication (?:error|failed|failure)\b|\bfailed to (?:refresh|exchange|obtain|fetch|retrieve) (?:[\w-]+ ){0,3}tokens?\b|\btoken (?:exchange|refresh) failed|\bOAuth error\b|\bnot authori[sz]ed\b/i,
  ],
  [
    "server-error trace",
    /\b(?:due to|because of|is) an? (?:\w+ )?server[ -](?:side )?(?:error|issue)|\bserver_error\b|\binternal server error\b|\bserver[ -]side (?:error|issue|problem|failure)|\bunexpected internal error|\borigin (?:error|is unreachable)|\b(?:upstream|backend|gateway) (?:error|failure)\b|\bupstream connect error|\bserver had an error|\berror occurred while processing your request|\bsomething went wrong on our (?:end|side)|\binternal error (?:has )?(?:been )?(?:occurred|encountered)|\b(?:provider|upstream) returned (?:an )?error|\bapi_error\b|\bstatus: UNAVAILABLE\b|"UNAVAILABLE"/i,
  ],
  [
    "upstream-timeout trace",
    /\btime limit (?:was )?(?:exceeded|reached)|\bgave up waiting|\bwaited too long|\bno (?:data|bytes|events?|tokens|output)\b[^.\n]{0,20}\b(?:received|arrived)\b|\btook too long\b|\bdid not (?:respond|answer) (?:in time|within)|\bno (?:response|activity)\b.{0,40}\b(?:for|within|after) \d|\bdeadline (?:expired|exceeded)/i,
  ],
  // Weak: an advice that is given for other failures too.
  ["connection-failed trace", /\b(?:check|verify) (?:your|the) (?:internet|network) (?:connection|access|settings)/i],
  // Weak: the network is named, and so is something wrong with it.
  [
    "connection-failed trace",
    /\b(?:network|socket|dns|proxy|tls|ssl|certificate)s?\b[\w :-]{0,40}\b(?:fail\w*|error|refused|unreachable|lost|closed|invalid|unavailable|blocked)\b/i,
  ],
];
