// How files are called on screen.

export interface Folder {
  /** URI, without a slash at its end. */
  readonly uri: string;
  readonly name: string;
}

/** Paths relative to the folder a file is in; the folder's name comes first if there are several. */
export function pathIn(folders: readonly Folder[]): (uri: string) => string {
  return (uri) => {
    const within = folders.filter((each) => uri.startsWith(`${each.uri}/`));
    const folder = within.sort((one, other) => other.uri.length - one.uri.length)[0];
    const path = decoded(folder ? uri.slice(folder.uri.length + 1) : uri.replace(/^file:\/\//, ""));
    return folder && folders.length > 1 ? `${folder.name}/${path}` : path;
  };
}

function decoded(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text; // A lone percent sign: it is shown as it is.
  }
}
