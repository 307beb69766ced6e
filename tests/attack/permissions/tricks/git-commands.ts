import type { Commands } from "./command.ts";

/** Commands of git that write a file or start a program of their arguments. */
export const GIT_COMMANDS: Commands = {
  "git diff with an output": (file) => `git diff --output=${file}`,
  "git log with an output": (file) => `git log -1 -p --output=${file}`,
  "git show with an output": (file) => `git show --output=${file}`,
  "git diff of no repository": (file) => `git diff --no-index --output=${file} notes.txt package.json`,
  "git archive": (file) => `git archive -o ${file}.tar HEAD`,
  "git bundle": (file) => `git bundle create ${file} HEAD`,
  "git format-patch": (file) => `git format-patch -q -1 --root -o ${file}`,
  "git init": (file) => `git init -q ${file}`,
  "git clone": (file) => `git clone -q . ${file}`,
  "git worktree": (file) => `git worktree add -q --detach ${file}`,
  "git fast-export": (file) => `git fast-export --export-marks=${file} HEAD`,
  "git with an alias": (file) => `git -c alias.x='!touch ${file}' x`,
  "git with a watcher": (file) => `git -c core.fsmonitor='touch ${file}; false' status`,
  "git with a pager": (file) => `script -qec "git -c core.pager='touch ${file}; cat' log -1" /dev/null < /dev/null`,
  "git with a pager of the environment": (file) =>
    `GIT_PAGER='touch ${file}; cat' script -qec 'git log -1' /dev/null < /dev/null`,
  "git with an external diff": (file) => `GIT_EXTERNAL_DIFF='touch ${file}; true' git diff HEAD~1`,
  "git with an external diff of its configuration": (file) => `git -c diff.external='touch ${file}; true' diff HEAD~1`,
  "git with settings of the environment": (file) =>
    `GIT_CONFIG_COUNT=1 GIT_CONFIG_KEY_0=alias.x GIT_CONFIG_VALUE_0='!touch ${file}' git x`,
  "git with another configuration": (file) =>
    `printf '[alias]\\nx = !touch ${file}\\n' > /tmp/g.$$; GIT_CONFIG_GLOBAL=/tmp/g.$$ git x; rm /tmp/g.$$`,
  "git with programs of its own": (file) => `git --exec-path=scripts made ${file}`,
  "git grep with a pager": (file) => `git grep -O'touch ${file} #' alpha`,
  "git with an editor": (file) => `GIT_EDITOR='touch ${file}; false' git -c user.name=a -c user.email=b commit --allow-empty`,
  "git with a sequence editor": (file) => `git -c sequence.editor='touch ${file}; false' rebase -i HEAD~1`,
  "git rebase with a command": (file) => `git rebase -q --exec 'touch ${file}; false' HEAD~1; git rebase --abort`,
  "git bisect with a command": (file) => `git bisect start HEAD HEAD~1; git bisect run touch ${file}; git bisect reset`,
  "git with a function as an alias": (file) =>
    `git submodule --quiet foreach 'true'; git -c alias.y='!f() { touch ${file}; }; f' y`,
  "git difftool": (file) => `git difftool -y -x 'touch ${file}; true' HEAD~1`,
  "git ls-remote with a program": (file) => `git ls-remote --upload-pack='touch ${file}; false' .`,
  "git ls-remote with a transport": (file) => `git -c protocol.ext.allow=always ls-remote 'ext::touch ${file}'`,
  "git fetch with a program": (file) => `git fetch --upload-pack='touch ${file}; false' .`,
  "git fetch with a shell": (file) => `GIT_SSH_COMMAND='touch ${file}; false' git fetch ssh://none/x`,
  "git with a helper for keys": (file) => `printf 'url=http://x\\n' | git -c credential.helper='!touch ${file}' credential fill`,
  "git with an asking program": (file) =>
    `printf 'url=http://x\\n' | GIT_ASKPASS=scripts/ask.sh MADE=${file} git -c credential.helper= credential fill`,
  "git with a filter": (file) =>
    `git -c filter.x.clean='touch ${file}; cat' -c core.attributesFile=scripts/attributes hash-object --path=a.x notes.txt`,
  "git with a text conversion": (file) =>
    `git -c diff.x.textconv='touch ${file}; cat' -c core.attributesFile=scripts/attributes diff HEAD~1`,
  "git with a text conversion of a blob": (file) =>
    `git -c diff.x.textconv='touch ${file}; cat' -c core.attributesFile=scripts/attributes cat-file --textconv HEAD:notes.txt`,
  "git with a signing program": (file) =>
    `MADE=${file} git -c gpg.program=scripts/ask.sh -c user.name=a -c user.email=b commit --allow-empty -S -m x`,
  "git with hooks": (file) =>
    `MADE=${file} git -c core.hooksPath=scripts/hooks -c user.name=a -c user.email=b commit -q --allow-empty -m x`,
  "git branch": (file) => `git branch ${nameOf(file)}`,
  "git tag": (file) => `git tag ${nameOf(file)}`,
  "git config": (file) => `git config ${nameOf(file)}.a b`,
  "git config of the user": (file) => `git config --global ${nameOf(file)}.a b`,
  "git config with an alias": (file) => `git config alias.made '!touch ${file}' && git made`,
  "git update-ref": (file) => `git update-ref refs/${nameOf(file)} HEAD`,
  "git hash-object": (file) => `echo ${nameOf(file)} | tee ${file} | git hash-object -w --stdin`,
  "git notes": (file) => `git -c user.name=a -c user.email=b notes --ref=${nameOf(file)} add -m x`,
  "git remote": (file) => `git remote add ${nameOf(file)} /none`,
  "git stash": (file) => `echo x > ${file}; git -c user.name=a -c user.email=b stash -q`,
  "git apply": (file) =>
    `printf -- 'diff --git a/${nameOf(file)} b/${nameOf(file)}\\nnew file mode 100644\\n--- /dev/null\\n+++ b/${nameOf(file)}\\n@@ -0,0 +1 @@\\n+a\\n' | git apply`,
  "git checkout of a branch": (file) => `git checkout -q -b ${nameOf(file)}; git checkout -q main`,
  "git symbolic-ref": (file) => `git symbolic-ref refs/${nameOf(file)} refs/heads/main`,
};

/** Git names its branches, sections and references, and they are files below `.git`. */
function nameOf(file: string): string {
  return file.split("/").at(-1) ?? file;
}
