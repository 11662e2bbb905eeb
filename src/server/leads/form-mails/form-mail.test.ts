import { expect, test } from 'vitest'
import { readFormMails } from './form-mail.ts'
import { linesOfHtml, textOfHtml } from './html-lines.ts'
import { knownLabel } from './mail-labels.ts'
import { senderInHead, unquoted } from './quoted-mail.ts'

test.each([
  ['Phone #', 'phone', null],
  ['first_name', 'firstName', null],
  ['Customer E-Mail Address:', 'email', null],
  ['Best time to call', 'contactTime', null],
  ['Vehicle of Interest', 'vehicle', null],
  ['Stock #', 'stock', null],
  ['Trade-in mileage', 'mileage', 'trade'],
  ['Vehicle Make', 'make', 'vehicle'],
  ['Trade-in', 'tradeIn', 'trade'],
  ['Comments/Questions', 'comments', null],
  ['Dealer ID', 'dealerCode', 'dealer'],
])('the label "%s" is known', (label, kind, section) => {
  expect(knownLabel(label, null)).toEqual({ kind, section })
})

test.each(['Favorite color', 'Type', 'Lead source', 'https', 'Note to self about names', 'Price'])(
  'the label "%s" alone says nothing',
  (label) => {
    expect(knownLabel(label, null)).toBeNull()
  },
)

test('a table row is one line, and cells of a layout are not', () => {
  expect(linesOfHtml('<table><tr><td>Name</td><td>Paula</td></tr></table>')).toBe('Name\tPaula')
  const layout = '<table><tr><td>Name: Paula<br>Phone: 1</td><td>Year: 2021<br>Make: Ford</td></tr></table>'
  expect(linesOfHtml(layout)).toBe('Name: Paula\nPhone: 1\nYear: 2021\nMake: Ford')
})

test('a link keeps where it leads to, unless it says the same', () => {
  expect(textOfHtml('<a href="https://a.example/car/7">This one</a>')).toBe(
    'This one (https://a.example/car/7)',
  )
  expect(textOfHtml('<a href="mailto:p@x.example">p@x.example</a>')).toBe('p@x.example')
  expect(textOfHtml('<a href="tel:+19165550206">+1 (916) 555-0206</a>')).toBe('+1 (916) 555-0206')
})

test('40,000 nested elements are read as text', () => {
  expect(textOfHtml(`${'<b>'.repeat(40_000)}deep`)).toBe('deep')
  expect(textOfHtml(`${'<table><tr><td>'.repeat(9_000)}deep`)).toBe('deep')
})

test('lines of a forwarded email that describe it are no labels', () => {
  const text = 'FYI\n\nFrom: Portal <leads@portal.example>\nSent: Monday\nTo: me\nSubject: New\n\nName: Paula'
  expect(unquoted(text)).toEqual({
    own: 'FYI\n\n',
    head: 'From: Portal <leads@portal.example>\nSent: Monday\nTo: me\nSubject: New',
    quoted: 'Name: Paula',
  })
  expect(senderInHead('From: "Doe, Jane" <Jane@x.example>\nSent: now')).toEqual({
    email: 'jane@x.example',
    name: 'Doe, Jane',
  })
  expect(unquoted('From: Jane <jane@x.example>\nSubject: Hi\n\nMessage Body:\nIs it there?').quoted).toBe('')
})

test('the worst bodies are read in a moment', () => {
  const startedAt = performance.now()
  for (const part of [
    'x',
    ' ',
    '\n',
    '\t',
    ':',
    '@',
    '* ',
    '<td>',
    '<b>',
    '<br>',
    'Name: ',
    '> ',
    'From: a\n',
    '<td><b>a</b><br>',
  ]) {
    const body = part.repeat(200_000 / part.length)
    readFormMails({ subject: 'Fwd: x', text: body, html: body })
  }
  expect(performance.now() - startedAt).toBeLessThan(15_000)
})

test('"Trade-in: No" is an answer and no vehicle', () => {
  const of = (answer: string) =>
    readFormMails({
      subject: null,
      text: `Name: Paula\nPhone: 916-555-0206\nTrade-in: ${answer}`,
      html: null,
    })[0]?.lead
  expect(of('No')).toMatchObject({
    tradeIns: [],
    extensions: [{ element: { name: 'Trade_in', text: 'No' } }],
  })
  expect(of('2015 Honda Civic')?.tradeIns).toMatchObject([{ year: '2015', make: 'Honda', model: 'Civic' }])
})

test('the words of a buyer go on until a label or what a program wrote', () => {
  const words = 'Is it automatic?\nAn automatic transmission matters to me.\nI was sent by my brother: Bob.'
  const text = `Name: Paula\nPhone: 916-555-0206\nMessage: ${words}\nSent from northgate.example`
  expect(readFormMails({ subject: null, text, html: null })[0]?.lead.comments).toBe(words)
})

test('a label that nobody filled in takes no other line as its value', () => {
  const text =
    'Name: Paula\nEmail: p@x.example\nPhone:\nMessage:\n\nThis email was sent from northgate.example'
  const [read] = readFormMails({ subject: null, text, html: null })
  expect(read?.lead.customer.contact.phones).toEqual([])
  expect(read?.lead.comments).toBeNull()
  expect(JSON.stringify(read?.lead.extensions)).toContain('This email was sent')
})

test('what looks like a form only by a signature is none', () => {
  const text = 'Is it there?\n\nJane\nPhone: 916-555-0277\nEmail: jane@x.example\nFax: 916-555-0278'
  expect(readFormMails({ subject: 'Hi', text, html: null })).toEqual([])
  expect(readFormMails({ subject: null, text: '', html: '' })).toEqual([])
})
