import type { DemoPage } from '../demo-pages.ts'

const hero = (title: string, text: string, path: string, alt: string, button: readonly [string, string]) => ({
  type: 'hero' as const,
  data: { title, text, picture: { path, alt }, button: { label: button[0], href: button[1] } },
})

/** The promo pages of Northgate: one in each state. */
export const NORTHGATE_PAGES: readonly DemoPage[] = [
  {
    name: 'November truck clearance',
    slug: 'november-trucks',
    description: 'Every truck of our Auburn Boulevard lot, with its total price.',
    isPublished: true,
    isInMenu: true,
    hasLayout: true,
    endsOn: '2026-12-31',
    blocks: [
      hero(
        'November truck clearance',
        'Every truck on our Auburn Boulevard lot is ready to drive home.',
        'Vehicles/F 150 front.png',
        'A blue pickup in front of our store',
        ['See our trucks', '/?body=Truck'],
      ),
      {
        type: 'vehicles',
        data: { heading: 'Trucks, one price for every buyer', search: 'body=Truck&sort=priceUp', most: 6 },
      },
      {
        type: 'countdown',
        data: { heading: '', text: 'After that, the trucks go to our auction.', endsOn: '2026-12-31' },
      },
      {
        type: 'gallery',
        data: {
          heading: 'On the lot',
          pictures: [
            {
              picture: { path: 'Vehicles/F 150 front.png', alt: 'A blue pickup in front of our store' },
              caption: 'F-150',
            },
          ],
        },
      },
      { type: 'vehicle', data: { heading: 'Truck of the month' }, stock: 'FU11267' },
      { type: 'form', data: { heading: 'Reserve a test drive', formKey: 'test-drive' } },
      { type: 'hours', data: { heading: 'Opening hours' }, lot: 'NGF' },
      { type: 'map', data: { heading: 'Where we are' }, lot: 'NGF' },
    ],
    later: [
      {
        type: 'text',
        data: { heading: 'Trade in', text: 'Bring your old truck. We look at it while you drive.' },
      },
    ],
  },
  {
    name: 'Service specials',
    slug: 'service-specials',
    description: 'What our workshop offers this month.',
    isPublished: true,
    isInMenu: true,
    blocks: [
      {
        type: 'specials',
        data: {
          heading: 'This month',
          items: [
            {
              title: 'Oil change',
              saving: '$20 off',
              text: 'With a new filter and a check of all fluids.',
              endsOn: '2026-12-31',
              terms: 'One per visit. Synthetic oil and diesel engines excluded.',
            },
            {
              title: 'Winter check',
              saving: '15% off',
              text: 'Battery, brakes, wipers and tires.',
              endsOn: '2026-12-31',
              terms: 'Parts are extra.',
            },
          ],
        },
      },
      {
        type: 'questions',
        data: {
          heading: 'Before you come',
          items: [
            {
              question: 'Do I need an appointment?',
              answer: 'For oil and tires, no. For everything else we hold a time for you.',
            },
            {
              question: 'How long does it take?',
              answer: 'An oil change takes about 40 minutes. You can wait here or come back.',
            },
          ],
        },
      },
      { type: 'form', data: { heading: 'Ask for an appointment', formKey: 'contact' } },
      { type: 'hours', data: { heading: 'Opening hours' }, lot: 'NGF' },
    ],
  },
  {
    name: 'About Northgate',
    slug: 'about',
    isPublished: true,
    isInFooter: true,
    blocks: [
      {
        type: 'text',
        data: {
          heading: 'Family owned since 1974',
          text: 'Three stores in Sacramento sell and service Ford, Lincoln and Toyota.\n\n- One price for every buyer\n- All fees in the price\n- A reply within our opening hours',
        },
      },
      {
        type: 'staff',
        data: {
          people: [
            {
              name: 'Sales',
              role: 'New and used vehicles',
              phone: '+1 916 555 0140',
              email: 'sales@northgate.example',
            },
            {
              name: 'Service',
              role: 'Appointments and parts',
              phone: '+1 916 555 0170',
              email: 'service@northgate.example',
            },
          ],
        },
      },
    ],
  },
  {
    name: 'Privacy',
    slug: 'privacy',
    isPublished: true,
    isInFooter: true,
    blocks: [
      {
        type: 'text',
        data: {
          heading: '',
          text: 'Our pages load nothing from other companies and set no cookies. What you write in a form is sent when you press its button, and only to us.\n\nAsk us at privacy@northgate.example to see, correct or delete what we have about you.',
        },
      },
    ],
  },
  {
    name: 'EV evening',
    slug: 'ev-evening',
    isPublished: true,
    hasLayout: true,
    startsOn: '2027-01-15',
    endsOn: '2027-01-31',
    blocks: [
      {
        type: 'text',
        data: {
          heading: 'Drive electric',
          text: 'Try our electric vehicles on a Friday evening, with people who own one.',
        },
      },
      { type: 'vehicles', data: { heading: 'On the road that evening', search: 'fuel=Electric', most: 3 } },
    ],
  },
  {
    name: 'Winter tires',
    slug: 'winter-tires',
    blocks: [
      {
        type: 'text',
        data: {
          heading: 'Winter tires',
          text: 'The lowest prices in Sacramento, for a limited time. A free alignment with every set.',
        },
      },
    ],
  },
]
