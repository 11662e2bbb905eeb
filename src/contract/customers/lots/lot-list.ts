import { defineList } from '#contract/lists/list.ts'
import { can, Func, Opr } from '#contract/permissions.ts'

export const LOT_LIST = defineList({
  key: 'lots',
  title: 'Lots',
  nouns: ['lot', 'lots'],
  page: '/customers/lots',
  allow: can(Func.lots, Opr.list),
  exports: can(Func.lots, Opr.export),
  sort: 'name',
  fields: {
    name: { title: 'Lot', kind: 'text', isSortable: true, isFixed: true },
    code: { title: 'Code', kind: 'text', isSortable: true },
    type: {
      title: 'Type',
      kind: 'choice',
      isFacet: true,
      isSortable: true,
      choices: [
        { value: 'new', label: 'New' },
        { value: 'used', label: 'Used' },
        { value: 'both', label: 'New and used' },
        { value: 'service', label: 'Service' },
      ],
    },
    address: { title: 'Address', kind: 'text' },
    city: { title: 'City', kind: 'text', isSortable: true, isHidden: true },
    region: { title: 'State or province', kind: 'text', isHidden: true },
    postalCode: { title: 'Postal code', kind: 'text', isHidden: true },
    phone: { title: 'Phone', kind: 'text', isHidden: true },
    organizationId: {
      title: 'Organization',
      kind: 'reference',
      refersTo: 'organizations',
      isSortable: true,
      isFacet: true,
    },
    makes: { title: 'Makes', kind: 'texts', isHidden: true, isFacet: true },
    hours: { title: 'Opening hours', kind: 'text' },
    isPublic: { title: 'On public pages', kind: 'flag' },
    timeZone: { title: 'Time zone', kind: 'text', isHidden: true, isFacet: true },
    dealerIds: { title: 'Dealer IDs', kind: 'texts', isHidden: true },
    updatedAt: { title: 'Changed', kind: 'moment', isSortable: true },
    updatedBy: { title: 'Changed by', kind: 'text', isHidden: true },
  },
})
