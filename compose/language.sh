# Sourced by the scripts: their language is that of the programs, Korean for a Korean locale, for C, POSIX and no locale.
# shellcheck shell=bash
script=compose/${0##*/}
case ${BOXOFFICE_LANG:-${LC_ALL:-${LC_MESSAGES:-${LANG:-}}}} in
ko | ko[_.]* | "" | C | C.* | POSIX) language=ko ;;
*) language=en ;;
esac

# Prints the Korean text or the English one.
say() { if [[ $language == ko ]]; then printf '%s\n' "$1"; else printf '%s\n' "$2"; fi; }

# Prints an error with its advice.
complain() { say "$script: $1" "$script: $2" >&2; }

# Ends for a wrong command line.
refuse() {
    complain "$1" "$2"
    say "  도움말: $script --help" "  See: $script --help" >&2
    exit 64
}
