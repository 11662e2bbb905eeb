import { phonePhoto } from '#test/factories/phone-photo.ts'
import { channels } from '#contract/channels/channels/channels.ts'
import { vehiclePath } from '#contract/marketing/site/vehicle-address.ts'
import { feedSources } from '#contract/feeds/sources/feed-sources.ts'
import { inboundAddresses } from '#contract/leads/inbound/inbound-addresses.ts'
import { lots } from '#contract/customers/lots/lots.ts'
import { participantArea } from '#contract/participants/area/participant-area.ts'
import type { NewVehicle } from '#contract/vehicles/vehicles/vehicle-input.ts'
import { pictureKey } from '#server/channels/channels/channel-row.ts'
import { makeCaller, type Caller, type TestApp } from '#test/app.ts'
import { change } from '#test/factories/assessments/add-assessments.ts'
import { ownFolder, sendFiles } from '#test/factories/files/file-calls.ts'
import type { AddedForm } from '#test/factories/marketing/add-marketing.ts'
import { mailedToken } from '#test/factories/participants/mailed-token.ts'
import { fresh, testOrganization, type TestOrganization } from '#test/factories/test-organization.ts'
import { secrets } from '#test/harness/secrets.ts'

/** The host of the public site. */
export const HOST = 'northgate.localhost'
/** The host of the customer's back office. */
export const OFFICE = 'office.northgate.example'

/** Words that buyers and receivers read while their subject is public, and that nothing else contains. */
export const WORDS = {
  vehicle: 'Velmark',
  lot: 'Lotmark',
  form: 'Formmark',
  site: 'Sitemark',
  page: 'Pagemark',
  assessment: 'environmental policy',
} as const
export type Word = keyof typeof WORDS

type Sold = { id: string; path: string }
type Channel = { id: string; feedPath: string }

/** A customer with everything that someone outside can see: a site with vehicles and a form, files, and people with links. */
export type World = Readonly<{
  forecourt: TestApp
  place: TestOrganization
  admin: Caller
  /** Staff of the platform, working elsewhere. */
  operator: Caller
  lotId: string
  vehicle: Sold
  /** Of the same make on another lot, so that its page and searches show the vehicle. */
  similar: Sold
  form: AddedForm
  /** A promo page that shows the vehicle, the form and the hours of its lot. `picture`: the address of its picture. */
  page: Readonly<{ id: string; slug: string; picture: string }>
  /** Of short URLs to the vehicle and the form. */
  shortKeys: Readonly<{ vehicle: string; form: string }>
  /** The public address of its photo, and where it is in the media. */
  photo: string
  photos: NewVehicle['photos']
  channels: readonly Channel[]
  inbound: Readonly<{ id: string; adfPath: string; mailPath: string }>
  feeds: readonly Readonly<{ kind: 'api' | 'mail'; id: string; path: string }>[]
  invitation: Readonly<{ id: string; targetId: string; token: string; session: Caller }>
  delegate: Readonly<{ delegationId: string; token: string; session: Caller }>
}>

/** Makes the world in the demo customer Northgate. Its other vehicles are hidden, so that pages are short. */
export async function makeWorld(forecourt: TestApp): Promise<World> {
  // SQL, because it is about hundreds of rows that the tests don't need.
  await forecourt.owner.query('update lots set is_public = false')
  await forecourt.owner.query('delete from channels')
  const place = await testOrganization(forecourt, 'Northgate Ford')
  await forecourt.owner.query(
    `update white_labels set title = $1 where customer_id = $2 and domain in ($3, $4)`,
    [WORDS.site, place.customerId, HOST, OFFICE],
  )
  const admin = await forecourt.as('northgate.admin', 'Northgate Ford')
  const operator = await forecourt.as('super', 'Forecourt Operations')
  const address = { address: '1 Main St', city: 'Sacramento', region: 'CA', postalCode: '95841' }
  const addLot = async (name: string) => {
    const id = await place.addLot(name)
    await place.call(lots.update, { id, ...address })
    return id
  }
  const lotId = await addLot(WORDS.lot)
  const photoPlace = await addPhoto(forecourt, admin)
  const vehicle = await addForSale(place, { lotId, model: WORDS.vehicle, photos: [photoPlace] })
  const similar = await addForSale(place, { lotId: await addLot('Second yard'), model: 'Standby' })
  const photo = `/feeds/pictures/${pictureKey(secrets, { customerId: place.customerId, vehicleId: vehicle.id, place: photoPlace.place })}`
  const form = await addForm(place)
  const shortKeys = { vehicle: 'vis-vehicle', form: 'vis-form' }
  await place.addShortUrl({ key: shortKeys.vehicle, target: 'vehicle', url: null, vehicleId: vehicle.id })
  await place.addShortUrl({ key: shortKeys.form, target: 'form', url: null, formId: form.id })
  const world = {
    forecourt,
    place,
    admin,
    operator,
    lotId,
    vehicle,
    similar,
    form,
    page: await addPage(forecourt, place, { form, vehicle, lotId, picture: photoPlace.place }),
    shortKeys,
    photo,
    photos: [photoPlace],
    channels: await addChannels(forecourt, admin),
    inbound: await addInbound(place),
    feeds: [await addSource(place, 'api'), await addSource(place, 'mail')],
    ...(await addPeople(forecourt, place)),
  }
  return world
}

async function addPage(
  forecourt: TestApp,
  place: TestOrganization,
  of: { form: AddedForm; vehicle: Sold; lotId: string; picture: string },
): Promise<World['page']> {
  const block = (type: string, data: object) => ({ id: type, type, v: 1, data })
  const blocks = [
    block('picture', { picture: { path: of.picture, alt: WORDS.page }, caption: WORDS.page }),
    block('vehicles', {
      heading: WORDS.page,
      source: 'chosen',
      search: '',
      vehicleIds: [of.vehicle.id],
      most: 6,
    }),
    block('form', { heading: '', formKey: of.form.key }),
    block('hours', { heading: 'Hours', lotId: of.lotId }),
    block('map', { heading: 'Map', lotId: of.lotId }),
  ]
  const given = {
    slug: 'vis-offers',
    title: WORDS.page,
    lotId: null,
    isInMenu: true,
    isInFooter: true,
    blocks,
  }
  const { id, slug } = await place.addPage(given, { isPublished: true })
  const { text } = await forecourt.anonymous.send({
    method: 'GET',
    url: `/p/${slug}`,
    headers: { host: HOST },
  })
  return { id, slug, picture: /"(\/p\/vis-offers\/picture\/[^"?]+)/.exec(text)?.[1] ?? '' }
}

async function addPhoto(forecourt: TestApp, admin: Caller) {
  const folder = await ownFolder(admin)
  await sendFiles(forecourt, admin, { path: folder }, [
    { name: `${WORDS.vehicle}.png`, bytes: await phonePhoto({ width: 30, height: 20 }) },
  ])
  return { kind: 'file' as const, place: `${folder}/${WORDS.vehicle}.png`, alt: WORDS.vehicle }
}

let made = 0

/** A vehicle that every channel takes. */
async function addForSale(place: TestOrganization, fields: Partial<NewVehicle>): Promise<Sold> {
  const { year, make, model, trim } = { year: 2021, make: 'Ford', model: fields.model ?? 'Focus', trim: null }
  const id = await place.addVehicle({
    year,
    make,
    model,
    body: 'SUV',
    color: 'Blue',
    mileage: 31_204,
    priceCents: 1_899_500,
    vin: `1FADP3F20DL9${String(++made).padStart(5, '0')}`,
    stock: `VIS${made}`,
    status: 'live',
    condition: 'used',
    description: 'One owner.',
    photos: [{ kind: 'address', place: `https://photos.example/${made}.jpg`, alt: 'Front' }],
    ...fields,
  })
  return { id, path: vehiclePath({ id, year, make, model, trim }) }
}

function addForm(place: TestOrganization): Promise<AddedForm> {
  const en = (text: string) => ({ en: text })
  return place.addForm({
    name: `Ask ${WORDS.form}`,
    isInMenu: true,
    isOnVehiclePages: true,
    embedOrigins: ['https://dealer.example'],
    thankYouText: `Thanks from ${WORDS.form}.`,
    replySubject: `About ${WORDS.form}`,
    replyText: `{name}, we received it. ${WORDS.form}`,
    draft: {
      languages: ['en'],
      sections: [
        {
          id: 'ask',
          title: en(WORDS.form),
          questions: [
            { type: 'text', code: 'name', title: en('Your name'), obligation: 'required' },
            { type: 'email', code: 'email', title: en('Email'), obligation: 'required' },
            { type: 'longText', code: 'message', title: en(`Your question to ${WORDS.form}`) },
          ],
        },
      ],
    },
    leadFields: { fullName: 'name', email: 'email', comments: 'message' },
  })
}

/** One of each kind and format. */
async function addChannels(forecourt: TestApp, admin: Caller): Promise<Channel[]> {
  const page = { pageTemplate: 'https://www.northgate.example/cars/{vin}', rule: 'make == "Ford"' }
  const added: Channel[] = []
  for (const kind of [
    { kind: 'google' },
    { kind: 'meta' },
    { kind: 'csv', format: 'csv' },
    { kind: 'csv', format: 'xml' },
    { kind: 'csv', format: 'json' },
  ]) {
    const input = channels.add.input.parse({ name: fresh('Channel'), destination: 'pull', ...page, ...kind })
    // oxlint-disable-next-line no-await-in-loop -- A few.
    const { id, feedPath } = await admin.call(channels.add, input)
    // oxlint-disable-next-line no-await-in-loop -- A few.
    await admin.call(channels.run, { id })
    added.push({ id, feedPath: feedPath ?? '' })
  }
  await forecourt.channels.workDue()
  return added
}

/** An inbound address with its URLs. */
export async function addInbound(place: TestOrganization) {
  const id = await place.addInboundAddress()
  return { id, ...(await place.call(inboundAddresses.renewUrls, { id })) }
}

/** A feed that is sent to a URL. */
export async function addSource(place: TestOrganization, kind: 'api' | 'mail') {
  const given = { name: fresh('Sent feed'), kind, lotIds: [await place.addLot()] }
  const { id } = await place.call(feedSources.add, feedSources.add.input.parse(given))
  return { kind, id, ...(await place.call(feedSources.renewToken, { id })) }
}

/** An owner of a questionnaire, who answered it, and a colleague who was given one question of it. */
export async function addPeople(forecourt: TestApp, place: TestOrganization) {
  const to = await place.addAssessment()
  const { id, targetId } = await place.addParticipant({ to })
  const token = await place.linkOf({ id })
  const session = await openWith(forecourt, token)
  await session.call(participantArea.save, {
    targetId,
    mutations: [
      change('policy', 'written'),
      change('refilled', true),
      change('refills', { amount: '4217.5' }, { rowKey: 'row-1' }),
    ],
  })
  await session.call(participantArea.ask, { targetId, questionCode: 'refilled', text: 'Answermark' })
  const email = `${fresh('ana').replace(' ', '.')}@people.example`
  const delegation = await session.call(participantArea.delegate, {
    targetId,
    questionCode: 'policy',
    name: 'Ana Souza',
    email,
  })
  const mailed = await mailedToken(forecourt, email)
  return {
    assessmentId: to.id,
    invitation: { id, targetId, token, session },
    delegate: {
      delegationId: delegation.id,
      token: mailed.token,
      session: await openWith(forecourt, mailed.token),
    },
  }
}

/** A session of the person who has this link. */
export async function openWith(forecourt: TestApp, token: string): Promise<Caller> {
  return makeCaller(
    forecourt.app,
    (await forecourt.anonymous.call(participantArea.open, { token })).accessToken,
  )
}
