/** What a lead of an email says. `more`: texts that it keeps elsewhere. */
export type PortalLead = Readonly<{
  name: string
  email?: string | null
  phones?: readonly string[]
  vehicle?: object
  tradeIn?: object | null
  comments?: string | null
  postalCode?: string
  more?: readonly string[]
}>

/** An email of a portal or website, and the leads that it is. `@@` is another word in each run. */
export type PortalMail = Readonly<{
  title: string
  subject?: string
  text?: string
  html?: string
  leads: readonly PortalLead[]
}>

const DEE = 'Name: Dee @@\nEmail: dee.@@@mail.example\nPhone: 916-555-0142\n'
const WANTED = 'Vehicle: 2022 Ford Escape\nComments: Is it red?\n'
const ELI = 'Name: Eli @@\nEmail: eli.@@@mail.example\nPhone: 916-555-0143\n'
const dee = { name: 'Dee @@', email: 'dee.@@@mail.example', phones: ['916-555-0142'] }
const wanted = { vehicle: { year: 2022, make: 'Ford', model: 'Escape' }, comments: 'Is it red?' }

const rows = (list: readonly (readonly string[])[], tag = 'td') =>
  `<table>${list.map((cells) => `<tr>${cells.map((cell) => `<${tag}>${cell}</${tag}>`).join('')}</tr>`).join('')}</table>`

const coBuyers: PortalMail[] = [
  'Co-Buyer',
  'Co-Applicant:',
  'Joint applicant',
  'Spouse',
  'Second buyer',
  'Co-Buyer Information',
].flatMap((heading) => [
  {
    title: `a co-buyer under "${heading}" before the vehicle`,
    text: `Buyer\n${DEE}\n${heading}\n${ELI}\n${WANTED}`,
    leads: [{ ...dee, ...wanted, more: ['Eli @@', 'eli.@@@mail.example', '916-555-0143'] }],
  },
])

const staff: PortalMail[] = [
  'Assigned salesperson',
  'Salesperson',
  'Your sales rep',
  'Assigned to',
  'Dealer contact',
  'Questions? Contact your account manager',
  'Verkäufer',
  'Vendedor',
  'Conseiller',
  'The one who knows',
].map((heading) => ({
  title: `someone of the store under "${heading}"`,
  text: `${DEE}${WANTED}\n${heading}\nName: Luis Ortega\nEmail: luis@northgate.example\nPhone: 916-555-0001\n`,
  leads: [
    {
      ...dee,
      ...wanted,
      more: [`${heading.replaceAll(/[^\p{L}]+/gu, '_')}_Name`, 'Luis Ortega', '916-555-0001'],
    },
  ],
}))

const FOOTERS = [
  'Northgate Ford\n1200 Fulton Ave, Sacramento\nPhone: 916-555-0001',
  'AutoPortal Team\nPhone: 800-555-0100',
  'Thank you,\nThe AutoPortal Team\nPhone: 800-555-0100\nEmail: help@autoportal.example',
  'Best regards,\nLuis Ortega\nNorthgate Ford\nMobile: 916-555-0001',
  'Tel: 800-555-0100\nFax: 800-555-0199',
  '________________\nAutoPortal Inc.\nPhone: 800-555-0100',
]
const footers: PortalMail[] = FOOTERS.flatMap((footer, at) => [
  {
    title: `a footer below the text, ${at + 1}`,
    text: `${DEE}${WANTED}\n${footer}\n`,
    leads: [{ ...dee, ...wanted, more: [/\d{3}-555-\d{4}/.exec(footer)?.[0] ?? ''] }],
  },
  {
    title: `a footer below HTML, ${at + 1}`,
    html: `${`${DEE}${WANTED}`
      .trim()
      .split('\n')
      .map((line) => `<p>${line}</p>`)
      .join('')}<br><p>${footer.replaceAll('\n', '<br>')}</p>`,
    leads: [{ ...dee, ...wanted }],
  },
])

const trades: PortalMail[] = [
  ['Vehicle of interest:', 'Your trade:'],
  ['VEHICLE OF INTEREST', 'TRADE-IN'],
  ['Vehicle Information', 'Trade-In Information'],
  ['Desired vehicle', 'Your vehicle'],
  ['Vehículo de interés', 'Vehículo a cuenta'],
  ['Véhicule', "Véhicule d'échange"],
  ['Fahrzeug', 'Inzahlungnahme'],
].map(([wish, own]) => ({
  title: `vehicles under "${wish}" and "${own}"`,
  text: `Name: Tia @@\nEmail: tia.@@@mail.example\n\n${wish}\nYear: 2021\nMake: Ford\nModel: Bronco\n\n${own}\nYear: 2014\nMake: Kia\nModel: Optima\nMileage: 99,000\n\nComments: hi`,
  leads: [
    {
      name: 'Tia @@',
      vehicle: { year: 2021, model: 'Bronco', mileage: null },
      tradeIn: { year: 2014, make: 'Kia', model: 'Optima', mileage: 99_000 },
      comments: 'hi',
    },
  ],
}))

const tradeLabels: PortalMail[] = (
  [
    ['Do you have a trade?', 'Yes, 2014 Kia Optima, 99,000 miles'],
    ['Auto a cuenta', '2014 Kia Optima, 99,000 millas'],
    ['Vehículo de intercambio', '2014 Kia Optima, 99 mil millas'],
    ['Vehículo para intercambio', '2014 Kia Optima 99.000 millas'],
    ['Vehículo de cambio', '2014 Kia Optima 99,000 millas'],
    ['Véhicule à échanger', '2014 Kia Optima, 99 000 milles'],
    ['Gebrauchtwagen in Zahlung', '2014 Kia Optima, 99.000 mi'],
    ['Altfahrzeug', '2014 Kia Optima 99000 mi'],
    ['Ihr Fahrzeug', '2014 Kia Optima 99.000 km'],
  ] as const
).map(([label, value]) => ({
  title: `a trade-in after "${label}"`,
  text: `Name: Tia @@\nEmail: tia.@@@mail.example\nVehicle: 2021 Ford Bronco\n${label}: ${value}\nComments: hi`,
  leads: [
    {
      name: 'Tia @@',
      vehicle: { model: 'Bronco' },
      tradeIn: { year: 2014, make: 'Kia', model: 'Optima', mileage: 99_000 },
    },
  ],
}))

const PAT = { name: 'Pat @@', comments: 'm1' }
const QUY = { name: 'Quy @@', comments: 'm2' }
const patQuy = (of: (name: string, at: number) => string) => `${of('Pat', 1)}${of('Quy', 2)}`

const digests: PortalMail[] = [
  {
    title: 'a list with headings "Lead 1", "Lead 2"',
    text: patQuy(
      (name, at) => `Lead ${at}\nName: ${name} @@\nEmail: ${name}.@@@mail.example\nMessage: m${at}\n\n`,
    ),
    leads: [PAT, QUY],
  },
  {
    title: 'a list with headings "**** Lead 2 of 2 ****" and no empty lines',
    text: patQuy(
      (name, at) =>
        `**** Lead ${at} of 2 ****\nName: ${name} @@\nEmail: ${name}.@@@mail.example\nMessage: m${at}\n`,
    ),
    leads: [PAT, QUY],
  },
  {
    title: 'a numbered list of names',
    text: patQuy(
      (name, at) =>
        `${at}. ${name} @@\n   Email: ${name}.@@@mail.example\n   Phone: 916-555-014${at}\n   Comments: m${at}\n\n`,
    ),
    leads: [PAT, QUY],
  },
  {
    title: 'a numbered list of labels',
    text: patQuy(
      (name, at) => `${at}. Name: ${name} @@\nEmail: ${name}.@@@mail.example\nComments: m${at}\n\n`,
    ),
    leads: [PAT, QUY],
  },
  {
    title: 'a table with bars',
    text: `Name | Email | Phone | Message\n${patQuy((name, at) => `${name} @@ | ${name}.@@@mail.example | 916-555-014${at} | m${at}\n`)}`,
    leads: [PAT, QUY],
  },
  {
    title: 'a table with bars around it',
    text: `| Name | Email | Message |\n|---|---|---|\n${patQuy((name, at) => `| ${name} @@ | ${name}.@@@mail.example | m${at} |\n`)}`,
    leads: [PAT, QUY],
  },
  {
    title: 'a list whose last buyer is above a footer',
    text: `${patQuy((name, at) => `Name: ${name} @@\nEmail: ${name}.@@@mail.example\nComments: m${at}\n\n`)}AutoPortal Inc.\nPhone: 800-555-0100`,
    leads: [
      { ...PAT, phones: [] },
      { ...QUY, phones: [] },
    ],
  },
]

/** Emails of portals, in the order of what was wrong. */
export const PORTAL_MAILS: readonly PortalMail[] = [
  ...coBuyers,
  {
    title: 'a co-buyer in a table of its own',
    html: `<h3>Buyer</h3>${rows([
      ['Name', 'Dee @@'],
      ['Email', 'dee.@@@mail.example'],
      ['Phone', '916-555-0142'],
    ])}<h3>Co-Buyer</h3>${rows([
      ['Name', 'Eli @@'],
      ['Phone', '916-555-0143'],
    ])}<h3>Vehicle</h3>${rows([
      ['Year', '2022'],
      ['Make', 'Ford'],
      ['Model', 'Escape'],
    ])}<p>Comments: Is it red?</p>`,
    leads: [{ ...dee, ...wanted, more: ['Co_Buyer_Name', 'Eli @@', '916-555-0143'] }],
  },
  ...staff,
  ...footers,
  {
    title: 'the portal above the form',
    text: `AutoPortal Inc.\nPhone: 800-555-0100\nEmail: support@autoportal.example\n\nYou have a new lead\n\n${DEE}${WANTED}`,
    leads: [{ ...dee, ...wanted, more: ['800-555-0100', 'support@autoportal.example'] }],
  },
  {
    title: 'a portal whose address is the only other one',
    text: 'Name: Dee @@\nPhone: 916-555-0142\nComments: Is it red?\n\nAutoPortal Inc.\nEmail: support@autoportal.example\n',
    leads: [{ name: 'Dee @@', email: null, phones: ['916-555-0142'] }],
  },
  {
    title: 'a footer element',
    html: `<body>${rows([
      ['Name', 'Dee @@'],
      ['Email', 'dee.@@@mail.example'],
      ['Comments', 'Is it red?'],
    ])}<footer>Phone: 800-555-0100</footer></body>`,
    leads: [{ ...dee, phones: [], comments: 'Is it red?', more: ['800-555-0100'] }],
  },
  {
    title: "the buyer's own signature below their words",
    text: 'Name: Dee @@\nEmail: dee.@@@mail.example\nComments: Is it red?\n\nThanks, Dee @@\nPhone: 916-555-0142',
    leads: [{ ...dee, comments: 'Is it red?\nThanks, Dee @@' }],
  },
  ...trades,
  ...tradeLabels,
  {
    title: 'the VIN of a trade-in',
    text: 'Name: Tia @@\nEmail: tia.@@@mail.example\nYear: 2021\nMake: Ford\nModel: Bronco\nYour trade VIN: KNAGM4A79E5500001\nYour trade mileage: 99000',
    leads: [
      {
        name: 'Tia @@',
        vehicle: { model: 'Bronco' },
        tradeIn: { vin: 'KNAGM4A79E5500001', mileage: 99_000 },
      },
    ],
  },
  ...digests,
  {
    title: 'a name and a message without an address',
    text: 'Name: Only @@\nMessage: Is it there?',
    leads: [{ name: 'Only @@', email: null, phones: [], comments: 'Is it there?' }],
  },
  ...['Interessent', 'Absender', 'Contact', 'Prospect', 'Customer'].map((label) => ({
    title: `a name after "${label}"`,
    text: `Sie haben eine Anfrage:\n\n${label}: Klaus @@\nE-Mail: klaus.@@@mail.example\nHandy: 0171 5552024\nText: Bitte um Rückruf.\n\nIhr Portal-Team\nTelefon: 030 5550000\n`,
    leads: [
      {
        name: 'Klaus @@',
        email: 'klaus.@@@mail.example',
        phones: ['0171 5552024'],
        comments: 'Bitte um Rückruf.',
      },
    ],
  })),
  {
    title: 'an address in one line',
    text: 'Name: Zoe @@\nEmail: zoe.@@@mail.example\nAddress: 12 Oak St, Sacramento, CA 95825-1234\nComments: hi',
    leads: [{ name: 'Zoe @@', postalCode: '95825-1234', more: ['12 Oak St', 'Sacramento'] }],
  },
]
