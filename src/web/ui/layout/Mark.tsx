type Props = { logo: string | null; name: string; size?: number }

/** A logo, or the initials of the name if there is none. Decorative: the name is shown next to it. */
export function Mark({ logo, name, size = 24 }: Props) {
  const style = { inlineSize: size, blockSize: size, fontSize: Math.round(size * 0.42) }
  if (logo) return <img className="fc-mark" src={logo} alt="" style={style} />
  return (
    <span className="fc-mark" style={style} aria-hidden="true">
      {initialsOf(name)}
    </span>
  )
}

function initialsOf(name: string): string {
  const [first = '', second = ''] = name.split(/[\s,-]+/).filter(Boolean)
  return `${firstLetter(first)}${firstLetter(second)}`.toUpperCase()
}

/** Splits by code point, so a surrogate pair isn't cut in half. */
function firstLetter(word: string): string {
  return String.fromCodePoint(...[word.codePointAt(0) ?? []].flat())
}
