// Characters that cannot be seen, made visible: the page must not show something other than what the text says.
// The same rule as relhash.visible, except that line ends and tabs stay what they are for a reader: space.

const UNSEEN = /[\x00-\x08\x0b\x0c\x0e-\x1f\x7f-\x9f\u061c\u200b-\u200f\u2028-\u202e\u2060-\u206f\ufeff\ufff9-\ufffb\ufffe\uffff]|\p{Surrogate}/gu;

const picture = (character) => {
  const code = character.codePointAt(0);
  if (code < 0x20) return String.fromCodePoint(0x2400 + code);
  return code === 0x7f ? "␡" : `⟨U+${code.toString(16).toUpperCase().padStart(4, "0")}⟩`;
};

export const visible = (text) => String(text ?? "").replace(UNSEEN, picture);
