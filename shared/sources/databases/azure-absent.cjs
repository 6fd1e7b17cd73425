// Stands for the packages of Azure that the SQL Server driver loads for ways to sign in which this service does not offer.
module.exports = {}
