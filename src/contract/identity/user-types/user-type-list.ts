import { defineList } from '#contract/lists/list.ts'
import { can, Func, Opr } from '#contract/permissions.ts'

export const USER_TYPE_LIST = defineList({
  key: 'userTypes',
  title: 'User types',
  nouns: ['user type', 'user types'],
  page: '/administration/user-types',
  allow: can(Func.userTypes, Opr.list),
  exports: can(Func.userTypes, Opr.export),
  sort: 'name',
  fields: {
    name: { title: 'User type', kind: 'text', isSortable: true, isFixed: true },
    parentId: { title: 'Parent type', kind: 'reference', refersTo: 'userTypes', isSortable: true },
    reach: {
      title: 'Access',
      kind: 'choice',
      isSortable: true,
      choices: [
        { value: 'organization', label: 'Own organizations' },
        { value: 'customer', label: 'All organizations' },
      ],
    },
    people: { title: 'Users', kind: 'integer', isSortable: true },
    permissions: { title: 'Permissions', kind: 'integer', isSortable: true },
    updatedAt: { title: 'Changed', kind: 'moment', isSortable: true },
    updatedBy: { title: 'Changed by', kind: 'text', isHidden: true },
  },
})
