module github.com/Azure/azure-sdk-for-go/sdk/azcore

go 1.26.0
