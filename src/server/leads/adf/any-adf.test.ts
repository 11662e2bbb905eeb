import { expect, test } from 'vitest'
import { writeAdf } from '#contract/leads/adf/write-adf.ts'
import { ADF_RULES } from '#test/suites/adf.ts'
import { ADF_BOUNDS } from './adf-bounds.ts'
import { parseAdf } from './parse-adf.ts'

test.each(ADF_RULES)('$rule', ({ check }) => {
  expect(() => check(300)).not.toThrow()
})

const bytesOf = (xml: string): Uint8Array<ArrayBuffer> => new TextEncoder().encode(xml)
const lead = (content: string, before = ''): string =>
  `${before}<adf><prospect><customer><contact><name>Ann</name></contact><comments>${content}</comments></customer></prospect></adf>`

test.each([
  ['5 MB of comments', lead(`<!--${'x'.repeat(5_000_000)}-->`), 'The document is larger than 1 MB.'],
  [
    'comments',
    lead(`<!--${'x'.repeat(200_000)}-->`),
    'The document has more than 100,000 characters in comments.',
  ],
  ['references', lead('&#65;'.repeat(180_000)), 'The document has more than 20,000 character references.'],
  ['bare ampersands', lead('&'.repeat(900_000)), 'The document has more than 20,000 character references.'],
  ['nested tags', lead('<a>'.repeat(20_000)), 'The elements are nested more than 32 levels deep.'],
  ['tags', lead('<a/>'.repeat(200_000)), 'The document has more than 20,000 tags.'],
  ['open tags', lead('<a "'.repeat(200_000)), expect.stringContaining('not well-formed XML')],
  [
    'instructions',
    lead('<?a'.repeat(300_000)),
    'The document is incomplete: it ends inside a processing instruction.',
  ],
  [
    'an entity bomb',
    lead('&d;', '<!DOCTYPE adf [<!ENTITY a "aaaaaaaaaa"><!ENTITY b "&a;&a;&a;"><!ENTITY d "&b;&b;&b;">]>'),
    'The document declares its own document type (DOCTYPE) or entities, which is not allowed.',
  ],
  [
    'an entity outside',
    '<!ENTITY a SYSTEM "file:///etc/passwd"><adf/>',
    'The document contains a declaration ("<!…>") outside of a document type.',
  ],
  ['no lead', '<adf></adf>', 'The document has no "prospect" element, so it has no lead.'],
  [
    'a name of JavaScript',
    lead('<constructor>1</constructor>'),
    expect.stringContaining("can't be read as XML"),
  ],
])('refuses %s at once', (_what, xml, message) => {
  // Reading in quadratic time would run into the time limit of the tests.
  expect(parseAdf(bytesOf(xml))).toMatchObject({ kind: 'refused', message })
})

test('the largest document within the bounds is read', () => {
  const text = '&amp; &#65; x '.repeat(9_000)
  const xml = lead(text.padEnd(ADF_BOUNDS.bytes - 20_000, 'words '), '<!-- -->\n').replace(
    '</prospect>',
    `${'<keyword id="1">x</keyword>'.repeat(300)}</prospect>`,
  )
  const adf = parseAdf(bytesOf(xml))
  expect(adf).toMatchObject({
    kind: 'document',
    document: { leads: [{ comments: expect.stringMatching(/^& A x & A/) }] },
  })
  const codes = adf.kind === 'document' ? adf.document.leads[0]?.warnings.map(({ code }) => code) : []
  expect(codes).toEqual(expect.arrayContaining(['textCut', 'tooManyEntries', 'unknownElement']))
})

test('accents survive in each encoding, and a wrong declaration is reported', () => {
  const xml = (encoding: string): string =>
    lead('Montréal').replace('<adf>', `<?xml version="1.0"${encoding}?><?adf version="1.0"?><adf>`)
  const read = (bytes: Uint8Array): unknown => {
    const adf = parseAdf(bytes)
    if (adf.kind === 'refused') return adf
    const [found] = adf.document.leads
    const codes = found?.warnings.map(({ code }) => code).filter((code) => code.startsWith('encoding'))
    return [adf.encoding, found?.comments, codes]
  }
  const latin = (text: string): Uint8Array => Buffer.from(text, 'latin1')
  expect(read(bytesOf(xml('')))).toEqual(['utf-8', 'Montréal', []])
  expect(read(bytesOf(`\uFEFF${xml(' encoding="utf-8"')}`))).toEqual(['utf-8', 'Montréal', []])
  expect(read(bytesOf(xml(' encoding="ISO-8859-1"')))).toEqual(['utf-8', 'Montréal', ['encodingWrong']])
  expect(read(latin(xml(' encoding="ISO-8859-1"')))).toEqual(['iso-8859-1', 'Montréal', []])
  expect(read(latin(xml(' encoding="windows-1252"')))).toEqual(['windows-1252', 'Montréal', []])
  expect(read(latin(xml('')))).toEqual(['windows-1252', 'Montréal', ['encodingGuessed']])
  expect(read(Buffer.from(`\uFEFF${xml(' encoding="utf-16"')}`, 'utf16le'))).toEqual([
    'utf-16le',
    'Montréal',
    [],
  ])
  expect(read(latin('abc\0def'))).toMatchObject({
    kind: 'refused',
    message: "The document isn't text: it contains zero bytes.",
  })
  expect(read(new Uint8Array())).toMatchObject({ kind: 'refused', message: 'The document is empty.' })
})

test('the order of the document does not matter to the reader, and the writer uses that of the DTD', () => {
  const adf = parseAdf(
    bytesOf(`<adf><prospect><provider><service>Web</service><name>Example</name></provider>
      <customer><comments>1 &lt; 2 &amp; "3"</comments><contact><phone type="home">5</phone>
        <name part="last">Lee</name><name part="first">Ann</name></contact></customer>
      <vehicle interest="trade-in"><odometer units="km">12,000</odometer><model>Civic</model></vehicle>
      <requestdate>2026-03-11T00:28:48Z</requestdate><id source="A&quot;B">7</id></prospect></adf>`),
  )
  if (adf.kind === 'refused') throw new Error(adf.message)
  expect(writeAdf(adf.document.leads)).toBe(`<?xml version="1.0" encoding="UTF-8"?>
<?adf version="1.0"?>
<adf>
  <prospect status="new">
    <id source="A&quot;B">7</id>
    <requestdate>2026-03-11T00:28:48Z</requestdate>
    <vehicle interest="trade-in">
      <year/>
      <make/>
      <model>Civic</model>
      <odometer units="km">12000</odometer>
    </vehicle>
    <customer>
      <contact>
        <name part="first" type="individual">Ann</name>
        <name part="last" type="individual">Lee</name>
        <phone type="voice" label="home" time="nopreference" preferredcontact="0">5</phone>
      </contact>
      <comments>1 &lt; 2 &amp; "3"</comments>
    </customer>
    <vendor>
      <vendorname/>
      <contact>
        <name part="full"/>
      </contact>
    </vendor>
    <provider>
      <name part="full" type="individual">Example</name>
      <service>Web</service>
    </provider>
  </prospect>
</adf>
`)
})
