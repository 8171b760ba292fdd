"""Files that are secret by their name: they are never opened."""

import re

_NAMES = {
    ".netrc": "login file",
    "_netrc": "login file",
    ".pgpass": "login file",
    ".my.cnf": "login file",
    ".htpasswd": "login file",
    ".git-credentials": "login file",
    ".pypirc": "login file",
    ".dockercfg": "login file",
    ".vault-token": "login file",
    "credentials": "credentials file",
    "credentials.json": "credentials file",
    "client_secret.json": "credentials file",
    "client_secrets.json": "credentials file",
    "application_default_credentials.json": "credentials file",
    "kubeconfig": "kubeconfig",
    ".terraformrc": "login file",
    "terraform.rc": "login file",
    "master.key": "key file",
}

_SUFFIXES = {
    ".pem": "key or certificate",
    ".key": "key or certificate",
    ".crt": "key or certificate",
    ".cer": "key or certificate",
    ".der": "key or certificate",
    ".csr": "key or certificate",
    ".p12": "keystore",
    ".pfx": "keystore",
    ".p8": "key or certificate",
    ".p7b": "key or certificate",
    ".jks": "keystore",
    ".keystore": "keystore",
    ".bks": "keystore",
    ".kdb": "keystore",
    ".kdbx": "keystore",
    ".ppk": "key or certificate",
    ".asc": "key or certificate",
    ".gpg": "key or certificate",
    ".pgp": "key or certificate",
    ".ovpn": "key or certificate",
    ".tfstate": "terraform state",
    ".kubeconfig": "kubeconfig",
    ".mobileprovision": "key or certificate",
}

_ENV = re.compile(r"(?:.*\.)?env(?:rc)?(?:\.[\w.-]+)?", re.DOTALL)
# `foo.env` and `.env.local` hold values; an example file is there to be read.
_SHOWN = frozenset(
    (
        *("example", "sample", "template", "tmpl", "dist", "defaults", "default", "schema"),
        *("ts", "js", "mjs", "cjs", "py", "rb", "go", "rs", "d", "md"),
    )
)
_SSH_KEY = re.compile(r"id_(?:rsa|dsa|ecdsa|ed25519)(?:_sk)?(?:[._-][\w.-]+)?")
_PATHS = ("/.aws/credentials", "/.aws/config", "/.kube/config", "/.docker/config.json")


def secret_file(name: str) -> str | None:
    """The rule that makes the file with this relative path secret; None if there is none.

    `.npmrc` is not secret by name, for most of them hold a project's settings; a token in it is masked.
    """
    lowered = name.lower()
    base = lowered[lowered.rfind("/") + 1 :]
    rule = _NAMES.get(base) or _SUFFIXES.get(base[base.rfind(".") :] if "." in base else "")
    if rule:
        return rule
    if base.startswith("id_") and _SSH_KEY.fullmatch(base) and not base.endswith(".pub"):
        return "ssh key"
    if "env" in base and _is_env(base):
        return "environment file"
    if ".tfstate." in base:
        return "terraform state"
    return "credentials file" if f"/{lowered}".endswith(_PATHS) else None


def _is_env(base: str) -> bool:
    """`.env`, `.envrc`, `.env.local`, `prod.env`; not `.env.example` and not a source file such as `env.ts`."""
    if "." not in base or base.startswith("env") or not _ENV.fullmatch(base):
        return False
    return not _SHOWN & set(base.split("."))
