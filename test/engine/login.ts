/** The application's login in tests. Like the product's own, it owns nothing. */
export const LOGIN = { user: 'forecourt_login', password: 'only-for-tests-on-this-machine' }
