// Elements without HTML strings: nothing that comes from a file can become markup.

export type Child = Node | string;

type Properties<K extends keyof HTMLElementTagNameMap> = Partial<Omit<HTMLElementTagNameMap[K], "style">> & {
  readonly aria?: Readonly<Record<string, string>>;
};

/** An element with its properties, aria attributes and children. */
export function element<K extends keyof HTMLElementTagNameMap>(
  name: K,
  properties: Properties<K> = {},
  ...children: readonly Child[]
): HTMLElementTagNameMap[K] {
  const { aria = {}, ...rest } = properties;
  const made = document.createElement(name);
  Object.assign(made, rest);
  for (const [key, value] of Object.entries(aria)) made.setAttribute(key === "role" ? "role" : `aria-${key}`, value);
  made.append(...children);
  return made;
}

const ICONS = {
  search: "M7 2a5 5 0 0 1 3.9 8.1l3.5 3.5-.8.8-3.5-3.5A5 5 0 1 1 7 2Zm0 1a4 4 0 1 0 0 8 4 4 0 0 0 0-8Z",
  stop: "M4 4h8v8H4z",
  beside: "M2 3h12v10H2V3Zm1 1v8h5V4H3Zm6 0v8h4V4H9Z",
  copy: "M5 2h8v9h-2v3H3V5h2V2Zm1 3h5v5h1V3H6v2ZM4 6v7h6V6H4Z",
  pin: "M6 2h4v1l-.5.5V7L12 9v1H8.5v4h-1v-4H4V9l2.5-2V3.5L6 3V2Z",
  pinned: "M5 1h6v2l-1 .5V6.5L13 9v2H9v4H7v-4H3V9l3-2.5v-3L5 3V1Z",
} as const;

/** A picture that is not read aloud; what it means is said by the button it is in. */
export function icon(name: keyof typeof ICONS): SVGSVGElement {
  const space = "http://www.w3.org/2000/svg";
  const picture = document.createElementNS(space, "svg");
  picture.setAttribute("viewBox", "0 0 16 16");
  picture.setAttribute("aria-hidden", "true");
  const line = document.createElementNS(space, "path");
  line.setAttribute("d", ICONS[name]);
  line.setAttribute("fill", "currentColor");
  line.setAttribute("fill-rule", "evenodd");
  picture.append(line);
  return picture;
}

export function button(label: string, picture: keyof typeof ICONS, act: () => void): HTMLButtonElement {
  const made = element("button", { className: "icon", title: label, type: "button", aria: { label } }, icon(picture));
  made.addEventListener("click", (event) => {
    event.stopPropagation();
    act();
  });
  return made;
}
