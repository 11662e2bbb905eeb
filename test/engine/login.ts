/** The login the application works with in tests: it owns nothing, like the product's own. */
export const LOGIN = { user: 'forecourt_login', password: 'only-for-tests-on-this-machine' }
