import fc from 'fast-check'

/** A form or portal mail of random labels, order and markup. `values`: every value in it, each unlike any other. */
export type FormMailCase = Readonly<{
  text: string | null
  html: string | null
  subject: string
  values: readonly string[]
  wanted: { name: string; email: string; phone: string; comments: string; model: string; stock: string }
}>

type Pair = Readonly<{ label: string; value: string }>

/** The labels of one kind, as forms and portals write them. */
const LABELS = {
  first: ['First Name', 'first_name', 'FirstName', 'Customer First Name', 'Given name'],
  last: ['Last Name', 'last_name', 'LastName', 'Surname', 'Family Name'],
  name: ['Name', 'Customer name', 'Your Name', 'Full name', 'Contact Name', 'Buyer name', 'Customer'],
  email: ['Email', 'E-mail', 'Email Address', 'Your email', 'Customer Email'],
  phone: ['Phone', 'Phone #', 'Phone Number', 'Telephone', 'Daytime Phone', 'Contact phone', 'Primary Phone'],
  comments: ['Comments', 'Message', 'Your message', 'Questions', 'Comments/Questions', 'Customer Comments'],
  year: ['Year', 'Vehicle Year', 'Model Year'],
  make: ['Make', 'Vehicle Make'],
  model: ['Model', 'Vehicle Model', 'Vehicle model name'],
  stock: ['Stock #', 'Stock Number', 'Stock', 'Stock No.', 'Vehicle Stock Number'],
  time: ['Best time to call', 'Best Time to Contact', 'Preferred time'],
  zip: ['ZIP', 'Zip Code', 'Postal code', 'Customer Zip'],
  trade: ['Trade-in', 'Trade-In Vehicle', 'Trade Vehicle'],
  unknown: ['How did you hear about us?', 'Favorite color', 'Loyalty level', 'Campaign (2026)', 'Budget'],
} as const

/** A case of one seed. */
export function formMailCase(seed: number): FormMailCase {
  const draw = drawer(seed)
  const id = `${seed}x`
  const one = (kind: keyof typeof LABELS): string => draw.from(LABELS[kind])
  const first = `Fn${id}a`
  const last = `Ln${id}b`
  const comments = `Does it have the tow package ${id}c? I can come at 10:30 on Friday.`
  const wanted = {
    name: `${first} ${last}`,
    email: `buyer${id}@mail.example`,
    phone: `916-555-${String(1000 + (seed % 9000))}`,
    comments,
    model: `Model${id}d`,
    stock: `ST${id}e`.toUpperCase(),
  }
  const person: Pair[] = draw.bool()
    ? [
        { label: one('first'), value: first },
        { label: one('last'), value: last },
      ]
    : [{ label: one('name'), value: wanted.name }]
  const pairs = draw.shuffled([
    ...person,
    { label: one('email'), value: wanted.email },
    { label: one('phone'), value: wanted.phone },
    { label: one('year'), value: '2021' },
    { label: one('make'), value: `Make${id}f` },
    { label: one('model'), value: wanted.model },
    { label: one('stock'), value: wanted.stock },
    ...(draw.bool() ? [{ label: one('time'), value: `After six ${id}g` }] : []),
    ...(draw.bool() ? [{ label: one('zip'), value: String(90_000 + (seed % 9_000)) }] : []),
    ...(draw.bool() ? [{ label: one('trade'), value: `2015 Honda Civic${id}h` }] : []),
    ...draw
      .shuffled(LABELS.unknown)
      .slice(0, 2)
      .map((label, at) => ({ label, value: `Other${at} ${id}i` })),
  ])
  // In plain text, the words of a buyer may go on until the end.
  const all = [...pairs, { label: one('comments'), value: comments }]
  const intro = `You have a new lead ${id}j`
  const isHtml = draw.bool()
  const body = isHtml ? htmlOf(all, intro, draw) : textOf(all, intro, draw)
  const isForward = draw.bool()
  const subject = `${isForward ? 'FW: ' : ''}Website lead ${id}k`
  const sent = isForward ? forwarded(body, { isHtml, draw }) : body
  const stub = draw.bool() ? null : `This email needs a program that shows HTML ${id}l.`
  return {
    text: isHtml ? stub : sent,
    html: isHtml ? sent : null,
    subject,
    values: [...all.map(({ value }) => value), intro, `lead ${id}k`],
    wanted,
  }
}

type Draw = ReturnType<typeof drawer>

function drawer(seed: number) {
  const numbers = fc.sample(fc.nat(1_000_000), { numRuns: 400, seed })
  let at = 0
  const next = () => numbers[(at += 1) % numbers.length] ?? 0
  const from = <T>(list: readonly T[]): T => {
    const found = list[next() % list.length]
    if (found === undefined) throw new Error('The list is empty.')
    return found
  }
  return {
    bool: () => next() % 2 === 0,
    from,
    shuffled: <T>(list: readonly T[]): T[] =>
      list
        .map((value) => ({ value, key: next() }))
        .toSorted((one, other) => one.key - other.key)
        .map(({ value }) => value),
  }
}

function textOf(pairs: readonly Pair[], intro: string, draw: Draw): string {
  const style = draw.from([
    ({ label, value }: Pair) => `${label}: ${value}`,
    ({ label, value }: Pair) => `${label}:   ${value}`,
    ({ label, value }: Pair) => `* ${label} : ${value}`,
    ({ label, value }: Pair) => `${label} = ${value}`,
    ({ label, value }: Pair) => `*${label}:* ${value}`,
    ({ label, value }: Pair) => `${label}:\n${value}\n`,
  ])
  const end = draw.bool() ? '\n\n-----\nThis email was sent by a program.' : ''
  return `${intro}\n\n${pairs.map(style).join(draw.from(['\n', '\n\n', '\r\n']))}${end}`
}

const escaped = (text: string): string => text.replaceAll('&', '&amp;').replaceAll('<', '&lt;')

function htmlOf(given: readonly Pair[], intro: string, draw: Draw): string {
  const pairs = given.map(({ label, value }) => ({ label: escaped(label), value: escaped(value) }))
  const cell = (text: string) => (draw.bool() ? `<p>${text}</p>` : text)
  const linked = (value: string) =>
    value.includes('@mail') ? `<a href="mailto:${value}" style="color:red">${value}</a>` : value
  const row = ({ label, value }: Pair) =>
    `<tr><td style="width:9em">${cell(draw.bool() ? `<b>${label}</b>` : `${label}:`)}</td>\n<td>${cell(linked(value))}</td></tr>`
  const half = Math.ceil(pairs.length / 2)
  const columns = () =>
    pairs
      .slice(0, half)
      .map((one, at) => {
        const other = pairs[at + half]
        const second =
          other === undefined ? '<td></td><td></td>' : `<td>${other.label}:</td><td>${other.value}</td>`
        return `<tr><td>${one.label}:</td><td>${one.value}</td>${second}</tr>`
      })
      .join('')
  const lists = (some: readonly Pair[]) =>
    some.map(({ label, value }) => `<b>${label}:</b> ${value}<br>`).join('')
  const content = draw.from([
    () => `<table>${pairs.map(row).join('')}</table>`,
    () => `<table><tr><td><table><tbody>${pairs.map(row).join('')}</tbody></table></td></tr></table>`,
    () => `<table>${columns()}</table>`,
    () => `<dl>${pairs.map(({ label, value }) => `<dt>${label}</dt><dd>${value}</dd>`).join('')}</dl>`,
    () => `<p>${lists(pairs)}</p>`,
    () =>
      `<ul>${pairs.map(({ label, value }) => `<li><strong>${label}</strong>: ${value}</li>`).join('')}</ul>`,
    () =>
      pairs
        .map(({ label, value }) => `<div><span style="font-weight:bold">${label}</span><br/>${value}</div>`)
        .join(''),
    () =>
      `<table><tr><td>${lists(pairs.slice(0, half))}</td><td>${lists(pairs.slice(half))}</td></tr></table>`,
    () =>
      `<table><tr>${pairs.map(({ label }) => `<th>${label}</th>`).join('')}</tr><tr>${pairs.map(({ value }) => `<td>${value}</td>`).join('')}</tr></table>`,
  ])()
  return `<html><head><style>td { color: red }</style></head><body><h2>${intro}</h2>${content}</body></html>`
}

/** As mail programs pass an email on. */
function forwarded(body: string, { isHtml, draw }: { isHtml: boolean; draw: Draw }): string {
  const head = [
    'From: Portal <leads@portal.example>',
    'Sent: Monday, November 30, 2026 9:12 AM',
    'To: Sales',
    'Subject: Website lead',
  ]
  if (isHtml)
    return `<p>Please call.</p><blockquote>${draw.bool() ? '---------- Forwarded message ---------<br>' : ''}${head
      .map((line) =>
        line
          .replace(/^(\w+:)/, '<b>$1</b>')
          .replaceAll('<leads@portal.example>', '&lt;leads@portal.example&gt;'),
      )
      .join('<br>')}<br><br></blockquote>${body.replace(/^<html>.*<body>|<\/body><\/html>$/g, '')}`
  const lines = [...head, '', ...body.split(/\r?\n/)]
  return `Please call.\n\n${draw.bool() ? lines.map((line) => `> ${line}`).join('\n') : lines.join('\n')}`
}
