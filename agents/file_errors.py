"""What the operating system says of files, in sentences, and folders for files that are written."""

import errno
import os
from pathlib import Path

_MOST = 60
"""So much of a path is shown."""
SENTENCES = {
    errno.ENOENT: "there is no file or folder {path}",
    errno.EISDIR: "{path} is a folder, not a file",
    errno.ENOTDIR: "{path}: a file is where a folder should be",
    errno.EEXIST: "there is a file {path} already",
    errno.EACCES: "{path} may not be opened or written by this user",
    errno.EPERM: "{path} may not be opened or written by this user",
    errno.EROFS: "{path} cannot be written: nothing can be written to this disk",
    errno.ENOSPC: "{path} cannot be written: the disk is full",
    errno.ENAMETOOLONG: "{path} is too long for the name of a file",
}
"""By the number of the error."""


def in_words(error: OSError, path: str | os.PathLike[str] | None = None) -> str:
    """What an error says, without its number, as the beginning of a sentence or after a colon.

    Args:
        path: the file that was wanted; by default the one that the error names.
    """
    named = error.filename if path is None else path
    shown = "the file" if named is None else os.fsdecode(named)
    if len(shown) > _MOST:
        shown = f"{shown[: _MOST // 2]}...{shown[-_MOST // 4 :]}"
    if error.errno in SENTENCES:
        return SENTENCES[error.errno].format(path=shown)
    return f"{shown}: {error.strerror or ' '.join(str(error).split())}"


def make_folder(path: Path) -> None:
    """Make a folder, and those that it is in, where they are missing.

    Every command makes the folders of the files that it writes.

    Raises:
        OSError: it cannot be made.
    """
    try:
        path.mkdir(parents=True, exist_ok=True)
    except FileExistsError:
        raise NotADirectoryError(errno.ENOTDIR, "a file is there", str(path)) from None
