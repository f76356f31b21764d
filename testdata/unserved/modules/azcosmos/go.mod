module github.com/Azure/azure-sdk-for-go/sdk/data/azcosmos

go 1.26.0

require github.com/Azure/azure-sdk-for-go/sdk/azcore v0.0.0

replace github.com/Azure/azure-sdk-for-go/sdk/azcore => ../azcore
