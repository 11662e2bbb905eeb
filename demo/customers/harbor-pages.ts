import type { DemoPage } from '../demo-pages.ts'

const none = { label: '', href: '' }
const noPicture = { path: '', alt: '' }

/** The home page of Harbor's site. */
export const HARBOR_PAGES: readonly DemoPage[] = [
  {
    name: 'Welcome to Harbor',
    slug: 'welcome',
    description: 'Used and certified vehicles in three stores, each with its total price.',
    isPublished: true,
    isHome: true,
    blocks: [
      {
        type: 'hero',
        data: {
          title: 'Welcome to Harbor',
          text: 'Used and certified vehicles, each with its total price.',
          picture: noPicture,
          button: { label: 'See all vehicles', href: '/vehicles' },
        },
      },
      { type: 'vehicles', data: { heading: 'Just arrived', search: '', most: 6 } },
      {
        type: 'columns',
        data: {
          heading: 'Why people come back',
          columns: [
            {
              heading: 'One price',
              text: 'The price you see has all our fees in it.',
              picture: noPicture,
              button: none,
            },
            {
              heading: 'Three days',
              text: 'Bring a car back within three days and 150 miles.',
              picture: noPicture,
              button: none,
            },
            {
              heading: 'Inspected',
              text: 'Our workshop checks each vehicle before we offer it.',
              picture: noPicture,
              button: none,
            },
          ],
        },
      },
      { type: 'hours', data: { heading: 'Opening hours' }, lot: 'HBH' },
      {
        type: 'action',
        data: {
          heading: 'Looking for something else?',
          text: 'Tell us what, and we call when it comes in.',
          button: { label: 'Write to us', href: '/f/contact' },
          second: { label: 'See all vehicles', href: '/vehicles' },
        },
      },
    ],
  },
]
