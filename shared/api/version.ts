/** Version of the service and of this contract; `package.json` says the same, which a test holds. */
export const version = '0.1.0'
